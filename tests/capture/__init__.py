"""From what is said to what is kept."""

"""What comes in from a file that somebody brings."""

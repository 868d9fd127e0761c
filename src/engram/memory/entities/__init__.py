"""Who and what a text names, and which names mean the same."""

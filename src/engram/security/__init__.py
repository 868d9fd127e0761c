"""Who may see what, and what must never get in or out."""

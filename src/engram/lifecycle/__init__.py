"""What becomes of a memory after it was stored: revised, retired, pinned, moved, taken back."""

"""What a dream decides, and the rules by which it does."""

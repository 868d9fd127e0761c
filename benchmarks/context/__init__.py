"""How well a conversation's direction is read, and what a budget leaves of the evidence."""

"""What do we know about this: from a question to ranked, explained memories."""

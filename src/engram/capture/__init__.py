"""What in this text is worth keeping: from a statement to a memory, or a reason why not."""

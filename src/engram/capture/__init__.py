"""What in this text is worth keeping: from a statement handed in to a memory, or a reason why not."""

"""What passes between Engram and others: news of changes, and what they report."""

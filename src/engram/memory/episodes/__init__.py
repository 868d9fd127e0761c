"""Episodes: what happened, in which situation, and how it ended."""

"""What a repository holds: its files, what they declare, where it starts and how it is run."""

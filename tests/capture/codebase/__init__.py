"""What a repository holds, as texts to be remembered."""

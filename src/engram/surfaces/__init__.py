"""How people and agents reach Engram."""

"""Engram inside other people's frameworks: thin pieces that use nothing but its public calls."""

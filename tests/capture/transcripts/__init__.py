"""Turns read from the transcripts of coding agents."""

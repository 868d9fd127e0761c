"""Ninety days of one person and an assistant, a dream each night: what is left of it."""

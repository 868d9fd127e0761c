"""Engram for agents that speak the Model Context Protocol.

Nothing is imported here: the first answer goes out before the protocol's own package is loaded.
"""

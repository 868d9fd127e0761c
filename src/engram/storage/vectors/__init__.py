"""Vectors: kept in the database by space, searched by an index in memory."""

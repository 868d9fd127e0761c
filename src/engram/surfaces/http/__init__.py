"""The HTTP API: every operation under /api/v1, behind one gate."""

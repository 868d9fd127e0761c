"""Where memories are kept: one contract, named SQL, and an engine underneath."""

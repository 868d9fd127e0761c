"""The embedded engine: one SQLite library in the process, and nobody else opens its files."""

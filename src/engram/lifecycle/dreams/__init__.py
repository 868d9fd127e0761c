"""Dreams: bounded passes over the memories of one scope at a time, each decision with an undo."""

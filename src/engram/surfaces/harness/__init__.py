"""What the programs around coding agents are given: an entry, hooks, commands, context blocks."""

"""Skills: how a task is done, when that fits, and how it went."""

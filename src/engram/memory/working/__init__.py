"""Working memory: what is in mind now, how it fades, what makes room for what, what is kept."""

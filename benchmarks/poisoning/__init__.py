"""How much of what untrusted sources plant comes into prompts that nobody looks at first."""

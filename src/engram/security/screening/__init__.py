"""What is in a text that must not get in, or not get out: personal, secret or hostile."""

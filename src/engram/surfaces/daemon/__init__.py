"""The process that works for one store in the background, and how it is started and asked to go."""

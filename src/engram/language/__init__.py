"""What does a text say? Words, sentences, times, names; each language has a folder of its own."""

"""Who does what to whom in a sentence, as far as the order of its words tells."""

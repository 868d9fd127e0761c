"""How near the estimate of tokens comes to the tokenizers, kind of text by kind of text."""

"""Knowledge: what is believed of whom and what, how firmly, on which grounds."""

"""Which times a text names: words of the calendar read as ranges of moments."""

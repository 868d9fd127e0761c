"""What may enter as text, its marks, its look, and what in it is Engram's own; in any language."""

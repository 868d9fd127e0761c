"""What may enter as text, what in it is Engram's own, how it is cut, and dates; in any language."""

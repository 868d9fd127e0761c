"""What a memory is and which rules it obeys: pure values and functions, no I/O, no clock."""

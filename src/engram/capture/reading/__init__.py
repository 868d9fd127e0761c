"""What a turn of a conversation says: sentences read into statements that stand alone, by rules."""

"""What coding agents and their people said: turns read from the transcripts that harnesses keep."""

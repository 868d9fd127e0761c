"""What a text takes in a model's window: who counts it, and the estimate where nobody can."""

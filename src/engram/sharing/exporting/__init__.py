"""What leaves a store in a file that its owner can carry away."""

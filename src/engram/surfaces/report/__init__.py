"""A page of pictures of a store: one HTML file that needs nothing else."""

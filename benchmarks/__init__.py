"""Speed and size, always beside a bare baseline measured in the same run."""

"""Lets `python -m engram` do what the command `engram` does."""

from engram.surfaces.cli import main

if __name__ == "__main__":
    main()

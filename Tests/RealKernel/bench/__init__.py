"""What the cases of the real-kernel tests work with. Standard library only."""

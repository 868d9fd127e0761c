"""The models behind recall: every embedder keeps one contract."""

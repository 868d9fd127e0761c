"""Webhooks: signed news of changes that go out, and signed messages that come in."""

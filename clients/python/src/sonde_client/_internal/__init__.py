"""Implementation shared by the sync and the async clients; not part of the public API."""

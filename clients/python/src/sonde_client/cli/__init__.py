"""The command line: `python -m sonde_client`, or `sonde`."""

from .main import main

__all__ = ["main"]

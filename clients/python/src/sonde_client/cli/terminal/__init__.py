"""Prompt input, answer output, status line and Ctrl-C."""

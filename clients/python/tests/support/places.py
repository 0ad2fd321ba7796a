"""Paths in the repository."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
CONTRACT = ROOT / "clients" / "contract"
STAND = ROOT / "dist" / "test" / "clients" / "stand.js"

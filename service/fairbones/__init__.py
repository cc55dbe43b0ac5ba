"""Fairbones: a provably fair dealing service for domino games."""

__version__ = "0.1.0"

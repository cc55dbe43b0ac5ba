"""Bytes and seeds: what SPEC sections 2 to 6 fix, and nothing about dominoes."""

"""Long tests with bounds: `python -m tests.soak NAME [--count N] [--seed S]`, resumable.

What they found stands in docs/evidence.md, with the command that finds it again.
"""

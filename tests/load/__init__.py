"""Many players at once on a running service: every match ends, verifies, and lost nothing.

python -m tests.load --matches 40 --processes 4                       # SQLite mode
python -m tests.load --store redis://127.0.0.1:6379/0 --services 2    # Redis mode
"""

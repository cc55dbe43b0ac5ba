"""The client of the verifier: against a real house, and the vectors any client can be put to."""

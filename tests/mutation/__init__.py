"""Small faults put into the code one at a time: a test has to see each of them.

A fault that no test sees is equivalent (`equivalent.txt` says why) or shows a test that is missing.
"""

"""The rule book (spec/rules.md), read aloud."""

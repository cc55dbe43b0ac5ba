"""The house's secrets: the receipt key, and the key that seals server seeds at rest."""

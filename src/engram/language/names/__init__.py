"""Names of people, organisations, places, projects and technologies in a text."""

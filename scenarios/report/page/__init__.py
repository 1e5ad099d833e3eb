"""Review page: one HTML file with verdicts, histories and provenance, and without network requests."""

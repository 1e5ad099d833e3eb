"""Review page: one HTML file, without network requests, of verdicts, histories and provenance."""

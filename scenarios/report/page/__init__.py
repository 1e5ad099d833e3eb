"""Review page: one HTML file with verdicts, histories, design and provenance, which makes no request."""

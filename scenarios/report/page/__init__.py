"""Review page: one HTML file with verdicts, histories, design and provenance; it makes no network requests."""

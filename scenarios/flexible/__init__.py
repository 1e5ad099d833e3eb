"""Cases with a `[satellite]`: flown, measured, summarised and pictured."""

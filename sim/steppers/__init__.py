"""Integration steps: one file a kind, one line each in `kinds`."""

__all__: list[str] = []

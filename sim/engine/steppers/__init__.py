"""Integration methods: one file per method, one line each in `kinds`."""

__all__: list[str] = []

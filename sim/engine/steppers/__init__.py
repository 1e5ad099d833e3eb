"""Integration methods: one file per method, listed in `kinds`."""

__all__: list[str] = []

"""One integration step each: rk4, rk8 and dop853."""

__all__: list[str] = []

"""The engine in a web page: the arrays of a run for the engine's WebAssembly module, the module, and its script."""

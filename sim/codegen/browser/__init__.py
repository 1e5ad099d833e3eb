"""The engine in a web page: a run's arrays for the engine's WebAssembly module, the module, and its script."""

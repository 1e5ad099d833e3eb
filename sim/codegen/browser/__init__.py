"""The engine in a web page: the WebAssembly module, its script, and the arrays of a run."""

"""The hub of every spacecraft: body, state, packed parameters, composition and equations of motion."""

"""The one hub that everything hangs on: body, state, packed parameters, composition, equations of motion."""

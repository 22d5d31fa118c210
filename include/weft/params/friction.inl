// The friction between two surfaces, whatever each of them says for itself.
WF_FLOAT(friction, 0.30f, 0.0f, 10.0f, "1", "Coulomb coefficient while one slides on the other")
WF_FLOAT(static_friction, 0.0f, 0.0f, 10.0f, "1", "the same at rest; never less than friction, so 0 makes them equal")

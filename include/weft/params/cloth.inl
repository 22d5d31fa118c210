// A cloth: its fabric comes from a preset or from its own values.
WF_NAME(name, "", "name in files, reports and messages; default cloth1, cloth2, ...")
WF_VEC3(velocity, 0.0f, 0.0f, 0.0f, -1000.0f, 1000.0f, "m/s", "velocity at the start")
WF_COLOR(color, 0.72f, 0.25f, 0.22f, "colour in pictures and exports, linear RGB 0..1 or \"#rrggbb\"")

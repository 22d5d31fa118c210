// A cloth: its fabric comes from a preset or from its own values.
WF_NAME(name, "", "name in files, reports and messages; default cloth1, cloth2, ...")
WF_VEC3(velocity, 0.0f, 0.0f, 0.0f, -1000.0f, 1000.0f, "m/s", "velocity at the start")
WF_FLOAT(pressure, 0.0f, -1e5f, 1e7f, "Pa", "inflation: pressure on the inside of the triangles over that on their outside")
WF_ENUM(inflation, wfInflation, wf_inflationConstant, "constant|gas", "what pressure means: the same at all times, or the start of an ideal gas in a closed cloth (p V stays, in air of 101325 Pa)")
WF_ENUM(masses, wfMasses, wf_massesArea, "area|equal", "how its mass is spread over its vertices: by the area about each, or every vertex the same (Bridson et al. 2002)")
WF_INT(layer, 0, -1000, 1000, "declared order of layered cloth, the higher the further out, and the further from the body: where `start: untangle` puts it, and what gives way in the last impulses of `contact: impulse`")
WF_COLOR(color, 0.72f, 0.25f, 0.22f, "colour in pictures and exports, linear RGB 0..1 or \"#rrggbb\"")

// A seam: stitches that draw two sides together. A stitch is a thread: it pulls and never pushes.
WF_NAME(name, "", "name in messages; default seam1, seam2, ...")
WF_FLOAT(stiffness, 1000.0f, 1e-3f, 1e7f, "N/m", "of each stitch")
WF_FLOAT(start, 0.0f, 0.0f, 1e6f, "s", "when it begins to close, from the beginning of the simulation, preroll included; until then its threads keep their length")
WF_FLOAT(close, 0.5f, 0.0f, 1e6f, "s", "time in which its threads shorten from their length at the start to none, slowly at first and in the end; 0 is at once")

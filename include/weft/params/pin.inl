// A pin: vertices of a cloth that stay in place, follow a collider, or follow a path of their own.
WF_NAME(name, "", "name in messages")
WF_ENUM(interpolation, wfInterpolation, wf_interpolateSmooth, "linear|smooth|hold", "between motion keys")
WF_ENUM(attach, wfAttach, wf_attachPlace, "place|surface", "with follow: each vertex keeps its place beside the collider, or is tied to the point of its surface that is nearest at the start")
WF_FLOAT(close, 0.0f, 0.0f, 1e6f, "s", "with attach surface: time in which the way to the surface shrinks to none, from the beginning of the simulation, preroll included; 0 is at once")
WF_FLOAT(stiffness, 0.0f, 0.0f, 1e9f, "N/m", "0 holds exactly; more is a spring of that stiffness a vertex")
WF_FLOAT(release, -1.0f, -1.0f, 1e9f, "s", "time at which it lets go; negative is never")

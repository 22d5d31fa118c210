// A collider: a body that moves as it is told.
WF_NAME(name, "", "name in files, reports and messages; default collider1, collider2, ...")
WF_ENUM(shape, wfShapeKind, wf_shapeSphere, "plane|sphere|box|capsule|mesh", "what it is; plane, sphere, box and capsule are exact")
WF_FLOAT(radius, 0.25f, 1e-4f, 1000.0f, "m", "radius of a sphere or capsule; rounding radius of a box is 0")
WF_VEC3(size, 1.0f, 1.0f, 1.0f, 1e-4f, 1000.0f, "m", "edge lengths of a box; y is the length of a capsule between its centres; x, z is what a plane shows in pictures")
WF_FLOAT(friction, 0.30f, 0.0f, 10.0f, "1", "Coulomb coefficient of the surface; a contact uses the geometric mean of both")
WF_ENUM(interpolation, wfInterpolation, wf_interpolateSmooth, "linear|smooth|hold", "between motion keys; smooth passes through them with continuous velocity")
WF_BOOL(visible, 1, "shown in pictures")
WF_COLOR(color, 0.55f, 0.56f, 0.58f, "colour in pictures and exports, linear RGB 0..1 or \"#rrggbb\"")

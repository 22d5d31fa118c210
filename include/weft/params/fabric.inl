// What cloth is made of. Membrane values are per width (modulus times thickness), so they need no thickness.
WF_FLOAT(density, 0.20f, 1e-4f, 100.0f, "kg/m^2", "mass per area")
WF_FLOAT(stretch, 1000.0f, 1e-3f, 1e7f, "N/m", "membrane stiffness along warp and weft: force per width per strain")
WF_FLOAT(shear, 200.0f, 0.0f, 1e7f, "N/m", "membrane shear stiffness")
WF_FLOAT(bending, 2.0e-5f, 0.0f, 100.0f, "N m", "bending rigidity per width")
WF_FLOAT(damping, 0.0f, 0.0f, 1000.0f, "1/s", "rate at which velocity dies away in the fabric")
WF_FLOAT(thickness, 0.5e-3f, 1e-6f, 0.1f, "m", "contact thickness, both sides together")
WF_FLOAT(friction, 0.30f, 0.0f, 10.0f, "1", "Coulomb coefficient of the surface")

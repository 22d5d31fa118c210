# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
$PYTHON $CLI/make_run.py run 1.5 1.25
cat > run/report.jsonl <<'END'
{"weft": "0.1.0", "scene": "by-hand"}
{"frame": 0, "time": 0, "self_contact": false, "intersecting_pairs": null, "contacts": 0, "worst_stretch": 1}
{"frame": 1, "time": 0.03, "self_contact": false, "intersecting_pairs": 4, "contacts": 12, "worst_stretch": 1.0625}
{"frame": 2, "time": 0.06, "self_con
END
printf %s "$(cat run/report.jsonl)" > cut && mv cut run/report.jsonl
weft info run

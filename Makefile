# SPDX-FileCopyrightText: 2026 The weft authors
# SPDX-License-Identifier: MIT
# The front of the build; CMakeLists.txt and CMakePresets.json do the work.

# WEFT_CUDA=1 builds demo and bench with CUDA; the tests of every day are CPU builds.
PRESET := $(if $(filter 1,$(WEFT_CUDA)),cuda,release)
# Seconds for each fuzzer of `make fuzz`.
SECONDS_EACH ?= 60
OUT := out/demo
weft = build/$(PRESET)/bin/weft
# Threads that wait by spinning take the cores from everything else on the machine.
export OMP_WAIT_POLICY ?= passive

builds := build-release build-cuda build-fuzz
.PHONY: help demo test test-data test-random untangle-sheet bench format lint fuzz clean $(builds)
help: ## say what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' Makefile
	@echo "  Packages that are missing are installed through apt; WEFT_NO_INSTALL=1 only says which."

# Configures once; afterwards ninja sees for itself whether CMake must run again.
$(builds): build-%:
	@test -f build/$*/build.ninja || cmake --preset $*
	@cmake --build --preset $* $(TARGET:%=--target %)

demo: ## build the command, simulate two scenes, make pictures of them
	@tools/setup.sh build test
	@$(MAKE) --no-print-directory build-$(PRESET) TARGET=weft_app
	$(weft) run drape --set n=50 --frames 0:100 -o $(OUT)/drape
	$(weft) render $(OUT)/drape -o $(OUT)/drape.png
	$(weft) run flag --frames 0:120 -o $(OUT)/flag
	$(weft) render $(OUT)/flag --strip 4 --size 640x480 -o $(OUT)/flag.png
	@echo "The pictures are $(OUT)/drape.png and $(OUT)/flag.png"

test: ## build and run all tests that need no outside data
	@tools/setup.sh build test
	@$(MAKE) --no-print-directory build-release
	ctest --preset release -LE data

test-data: ## run the tests on real meshes: make test-data DATA=../shared/data
	@test -d "$(DATA)" || { echo "make test-data: DATA=\"$(DATA)\" is not a folder; try DATA=../shared/data" >&2; exit 1; }
	@tools/setup.sh build test
	@cmake --preset release -DWEFT_DATA="$(abspath $(DATA))"
	@$(MAKE) --no-print-directory build-release
	ctest --preset release -L data --verbose

test-random: ## run 200 random scenes of contact, a line each
	@tools/setup.sh build test
	@$(MAKE) --no-print-directory build-release TARGET=test_random_scenes
	build/release/bin/test_random_scenes 1 200

untangle-sheet: ## draw all constructed tangles, before and after, for the docs
	@tools/setup.sh build test video
	@$(MAKE) --no-print-directory build-release
	tools/untangle_sheet.sh docs/images/untangle-cases.png

bench: ## measure the step time and memory
	@tools/setup.sh build test
	@$(MAKE) --no-print-directory build-$(PRESET) TARGET=weft_app
	$(weft) bench

format: ## lay out the sources
	@tools/setup.sh lint
	tools/format.sh

lint: ## check arrows between rooms, layout, and what static analysis finds
	@tools/setup.sh build test lint
	@test -f build/release/build.ninja || cmake --preset release
	tools/lint.sh build/release

fuzz: ## run every fuzzer for SECONDS_EACH seconds
	@tools/setup.sh build fuzz tsan
	@$(MAKE) --no-print-directory build-fuzz
	tools/fuzz.sh build/fuzz $(SECONDS_EACH)

clean: ## remove what was built and simulated
	rm -rf build out

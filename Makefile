# A door for people who type `make`. The build itself is CMake with presets: see CMakePresets.json.

PREFIX ?= /usr/local
DESTDIR ?=

packages := g++ cmake ninja-build libcli11-dev libfmt-dev nlohmann-json3-dev libstb-dev \
            libmpfr-dev libdeflate-dev fonts-dejavu-core doctest-dev
bench_packages := libbenchmark-dev
fuzz_packages := clang libclang-rt-dev libomp-dev

.PHONY: figure test exhaustive fuzz torture bench docs install packages bench-packages fuzz-packages
.DEFAULT_GOAL := figure

figure: build/release/pe-gen
	build/release/pe-gen sinusoid --d 128 --len 400 --png out.png
	@echo "out.png: the encoding of the paper, 128 channels, 400 positions"

test: packages
	cmake --workflow --preset release

# Every value of large tables beside MPFR: some minutes; with TABLES=whole, of 2^24 positions.
exhaustive: packages
	cmake --preset release
	cmake --build --preset release --target pegen_check
	build/release/tests/exhaustive/check $(TABLES)

# libFuzzer on everything that reads what strangers wrote: ten minutes each. See docs/testing.md.
FUZZ_SECONDS ?= 600
fuzz: fuzz-packages packages
	cmake --preset fuzz
	cmake --build --preset fuzz
	tests/fuzz/run build/fuzz $(FUZZ_SECONDS)

# Everything that can go wrong with a file, one thing in each of thousands of runs: some minutes.
torture: packages
	cmake --preset release
	cmake --build --preset release --target pe-gen pegen_faults pegen_torture torture

bench: bench-packages packages
	cmake --preset release -DPEGEN_BENCH=ON
	cmake --build --preset release
	tests/bench/run build/release

# Every picture in docs/ is made by this.
docs: build/release/pe-gen
	build/release/pe-gen batch docs/figures.json

install: build/release/pe-gen
	DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

# CMake knows what is out of date; it is asked every time.
.PHONY: build/release/pe-gen
build/release/pe-gen: packages
	cmake --preset release
	cmake --build --preset release --target pe-gen

packages:
	@cmake/install-packages $(packages)

bench-packages:
	@cmake/install-packages $(bench_packages)

fuzz-packages:
	@cmake/install-packages $(fuzz_packages)

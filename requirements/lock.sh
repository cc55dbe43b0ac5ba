#!/bin/sh
# Resolves both lock files anew from pyproject.toml; needs uv. Versions stay as they are
# where they can: pass --upgrade, or --upgrade-package NAME, to move them.
set -eu
cd "$(dirname "$0")/.."

lock() {
  target=$1
  shift
  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-header --no-annotate --no-emit-index-url --extra redis "$@" \
    --output-file "$target" pyproject.toml
}

# The second is the first and the tools around it, so that tests run on what is deployed.
lock requirements/runtime.txt "$@"
lock requirements/dev.txt --group dev --constraint requirements/runtime.txt "$@"
# Other engines to compare with, on top of the tools: only who asks for them installs them.
lock requirements/oracles.txt --group dev --group oracles --constraint requirements/dev.txt "$@"

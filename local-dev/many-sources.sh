#!/usr/bin/env bash
# 200 sources triggered at once, with duplicates and in any order, on one worker with 512 MiB of heap (the embedded stack
# shares that heap). Asserts that each source's newest generation is live and that events explain every trigger that did
# not run; ends with 0 then. Usage: local-dev/many-sources.sh [SOURCES]
set -euo pipefail
cd "$(dirname "$0")/.."
exec ./sluice mvn -Dquick -pl worker -am test -Dtest=ManySourcesTest \
  -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.sources="${1:-200}" -Dtest.heap=512m

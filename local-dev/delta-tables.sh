#!/usr/bin/env bash
# Reads every Delta table of a checkout of the Delta project (its golden tables and Delta Kernel's test tables, or any
# other folder of tables) with our reader and with Delta Kernel's own, compares the rows, and prints what came out for
# each table. Fails when one is read otherwise than Delta Kernel reads it. docs/reference/delta-tables.md holds a result.
#
#   local-dev/delta-tables.sh CHECKOUT
set -euo pipefail
[[ $# == 1 && -d $1 ]] || { echo "usage: $0 CHECKOUT (a folder)" >&2; exit 2; }
tables=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/.."

report=$(mktemp)
trap 'rm -f "$report"' EXIT
status=0
# Delta Kernel takes timestamps without zone in the JVM's zone in places; ours are UTC.
TZ=UTC ./sluice mvn -Dquick -q -pl activities -am test -Dtest=DeltaGoldenTablesTest \
  -Dsurefire.failIfNoSpecifiedTests=false -Dsluice.deltaTables="$tables" -Dsluice.deltaReport="$report" >&2 || status=$?
cat "$report"
exit "$status"

#!/usr/bin/env bash
# Kills the worker with SIGKILL at random moments while it registers one generation after the other, then starts it a
# last time and looks: the newest generation of every source is live, no attempt is left running, no row is there twice.
# The stack and each worker are processes of their own; what is live is read by our CLI and by a DuckDB of its own.
#
#   local-dev/kill-worker.sh [KILLS [SEED [DIR]]]
#
# KILLS is 10 by default, SEED random (it is printed), DIR a folder of prepared sources: the shared flights data when it
# is there, otherwise a sample that is made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

kills=${1:-10}
seed=${2:-$RANDOM}
folder=${3:-${SLUICE_SHARED:-../shared}/data/nycflights/source}
[[ -d $folder ]] && folder=$(cd "$folder" && pwd) || folder=

./sluice mvn -Dquick -pl worker -am test -Dtest=KilledWorkerTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dsluice.kills="$kills" -Dsluice.seed="$seed" ${folder:+-Dsluice.source="$folder"} 2>&1 |
  grep --line-buffered -E 'kill-worker:|\[.*ERROR|Tests run:|BUILD'

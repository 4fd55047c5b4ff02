#!/usr/bin/env bash
# Stops a worker with SIGSTOP inside its publishing transaction and looks: another writer of the lake gets through once
# the server has ended that transaction (15 s), a second worker takes the run over and publishes a newer generation, and
# when the first one wakes up nothing goes backwards. The stack and both workers are processes of their own.
#
#   local-dev/stop-worker.sh
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./sluice mvn -Dquick -pl worker -am test -Dtest=StoppedWorkerTest -Dsurefire.failIfNoSpecifiedTests=false \
  -Dsluice.overtaken=true 2>&1 |
  grep --line-buffered -E 'stop-worker:|\[.*ERROR|Tests run:|BUILD'

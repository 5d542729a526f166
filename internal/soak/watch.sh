#!/usr/bin/env bash
# Runs a command and prints, now and then and at its end, how much memory it has
# had at most. Memory that grows by more than half from the first minute on is an
# error: a live check has to run for ever.
set -uo pipefail
every=${EVERY:-15}

"$@" <&0 &
pid=$!
first=0 last=0 shots=0
while kill -0 "$pid" 2>/dev/null; do
  sleep 1
  shots=$((shots + 1))
  now=$(awk '/VmRSS/ {print $2}' "/proc/$pid/status" 2>/dev/null) || break
  [ -n "$now" ] || break
  last=$now
  [ "$shots" -le 20 ] && [ "$now" -gt "$first" ] && first=$now
  [ $((shots % every)) -eq 0 ] && echo "soak: ${shots} s, $((now / 1024)) MB" >&2
done
wait "$pid"
status=$?
echo "soak: exit $status, memory $((first / 1024)) MB in the beginning, $((last / 1024)) MB at the end" >&2
if [ "$first" -gt 0 ] && [ "$last" -gt $((first + first / 2)) ]; then
  echo "soak: the memory has grown" >&2
  exit 1
fi
exit "$status"

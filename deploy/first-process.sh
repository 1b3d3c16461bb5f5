#!/bin/sh
# Process 1 of the image of everything: passes SIGTERM on, and waits also for processes whose parent has ended.
node /app/dist/adapters/start/start.js "$@" &
program=$!
trap 'kill -TERM $program' TERM INT
wait $program
code=$?
# A signal ends the wait, not the program.
while kill -0 $program 2>/dev/null; do
  wait $program
  code=$?
done
exit $code

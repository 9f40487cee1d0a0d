#!/usr/bin/env bash
# What the action does: one run or one part of it, or the parts of one, and the
# reports of that. Everything comes by the environment, since what stands in an
# expression of a workflow would be code here. It ends with 0 wherever there is a
# verdict, and says which by its output exit-code.
set -euo pipefail

suite=${SUITE:?} out=${OUT:?} output=${GITHUB_OUTPUT:-/dev/null} summary=${GITHUB_STEP_SUMMARY:-/dev/null}
mkdir -p "$out"
from=() code=0

# lines FLAG TEXT: adds the flag to args once for each line of the text.
lines() {
  local line
  while IFS= read -r line; do
    if [ -n "$line" ]; then args+=("$1" "$line"); fi
  done <<<"$2"
}

if [ -n "${MERGE:-}" ]; then
  while IFS= read -r -d '' part; do from+=(--from "$part"); done < <(find "$MERGE" -name '*.ndjson' -print0 | sort -z)
  if [ ${#from[@]} = 0 ]; then
    echo "there is no *.ndjson in $MERGE" >&2
    exit 5
  fi
  "$suite" report "${from[@]}" || code=$?
  if [ "$code" = 2 ]; then exit 2; fi
else
  args=(--role "${ROLE:-daemon}" --target "${TARGET:?}" --waits "${WAITS:-all}" --seed "${SEED:-1}" --out "$out/run.ndjson")
  if [ -n "${LANE:-}" ]; then args+=(--lane "$LANE"); fi
  if [ -n "${SHARD:-}" ]; then args+=(--shard "$SHARD"); fi
  lines --rule "${RULES:-}"
  lines --expect-failures "${EXPECT_FAILURES:-}"
  lines --expect-flaky "${EXPECT_FLAKY:-}"
  lines --skip "${SKIP:-}"
  "$suite" run "${args[@]}" || code=$?
  # A wrong command line has no verdict and leaves no stream.
  if [ "$code" = 2 ]; then exit 2; fi
  from=(--from "$out/run.ndjson")
fi

# report FORMAT FILE: writes a report; its exit code is the run's once more.
report() {
  local got=0
  "$suite" report "${from[@]}" --format "$1" --out "$2" || got=$?
  if [ "$got" != "$code" ]; then
    echo "the report $1 ended with $got, the run with $code" >&2
    exit 6
  fi
}

if [ -n "${MERGE:-}" ] && [ "$code" != 5 ]; then
  report events "$out/run.ndjson"
fi
# A part alone is no verdict, so it has no report but the one that was printed.
if [ -z "${SHARD:-}" ] && [ -s "$out/run.ndjson" ]; then
  report html "$out/report.html"
  report junit "$out/junit.xml"
  report tap "$out/report.tap"
  report badge "$out/badge.svg"
  report shields "$out/badge.json"
  report markdown "$out/summary.md"
  cat "$out/summary.md" >>"$summary"
fi
{
  echo "exit-code=$code"
  echo "stream=$out/run.ndjson"
} >>"$output"

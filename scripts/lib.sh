# Common part of the scripts: where things are, one-line errors, steps with progress.
# shellcheck shell=bash
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
me=scripts/$(basename "$0")
SECONDS=0

# The folder for what is downloaded once: outside the build tree, so that a clean build keeps it.
cache=${RACEWHEEL_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/racewheel}

say() { printf '%s\n' "$*" >&2; }

# die CODE MESSAGE: one line on stderr that names what is wrong and the remedy.
die() {
  say "$me: $2"
  exit "$1"
}

# How long N seconds are, for people.
duration() {
  if (($1 < 60)); then printf '%d s' "$1"; else printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); fi
}

# step K N LABEL LOG COMMAND...: runs the command with all its output in LOG and shows that it is
# alive: the log's last line on a terminal, a line every half minute elsewhere.
step() {
  local k=$1 n=$2 label=$3 log=$4 begin=$SECONDS beat=30 status=0
  shift 4
  mkdir -p "$(dirname "$log")"
  "$@" >"$log" 2>&1 &
  local pid=$!
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  [[ -t 2 ]] || say "[$k/$n] $label"
  while kill -0 "$pid" 2>/dev/null; do
    local elapsed=$((SECONDS - begin))
    if [[ -t 2 ]]; then
      printf '\r\033[K[%d/%d] %s, %s: %.60s' "$k" "$n" "$label" "$(duration $elapsed)" \
        "$(tail -n 1 "$log" | tr -d '\r')" >&2
    elif ((elapsed >= beat)); then
      say "[$k/$n] $label, $(duration $elapsed): $(tail -n 1 "$log" | cut -c 1-70)"
      beat=$((beat + 30))
    fi
    sleep 0.2
  done
  wait "$pid" || status=$?
  trap - INT TERM
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  if ((status == 0)); then
    say "[$k/$n] $label: $(duration $((SECONDS - begin)))"
  fi
  return "$status"
}

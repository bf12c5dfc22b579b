#!/usr/bin/env bash
# Counts how often 'quotient extract' with its defaults finds exactly the language
# of a bundled network: seven languages, five samples each, by the size of the
# sample, the epoch of the network and the source of valid words. The program must
# be on the path. Takes a minute or two.
set -euo pipefail
command -v quotient >/dev/null || { echo "quotient is not on the path" >&2; exit 1; }

# exact STRINGS EPOCH words-from|alone: prints "exact of samples".
exact() {
  local right=0 all=0
  for n in 1 2 3 4 5 6 7; do
    for seed in 1 2 3 4 5; do
      local words=()
      [ "$3" = words-from ] && words=(--words-from "tomita$n")
      # grep without -q reads to the end: else the program may be ended by a closed pipe, which counts as a failure.
      if quotient extract "zoo:tomita$n$2" --strings "$1" --seed "$seed" --target "tomita$n" "${words[@]}" |
        grep 'exactly this language' >/dev/null; then
        right=$((right + 1))
      fi
      all=$((all + 1))
    done
  done
  echo "$right of $all"
}

printf '%-10s %-8s %-22s %s\n' epoch strings 'valid words from' exact
for epoch in '' @12 @5; do
  for strings in 300 50; do
    for words in words-from alone; do
      printf '%-10s %-8s %-22s %s\n' "${epoch:-best}" "$strings" "$words" "$(exact "$strings" "$epoch" "$words")"
    done
  done
done

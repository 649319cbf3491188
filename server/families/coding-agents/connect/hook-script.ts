/**
 * The hook program for machines without Node: POSIX sh and curl. It says and answers the same as `handrail-hook`, and ends with
 * 2, which blocks the call in every client, unless the answer is certainly Handrail's.
 */
export const hookScript = String.raw`#!/bin/sh
# handrail-hook.sh <client> <ask|tell> [--timeout seconds] [--mode headless|defer] [--box none|agent|container] [--on-failure block]
# ask: waits for a decision about the call on standard input, and prints the client's own answer. tell: reports, and never blocks.
# HANDRAIL_URL and HANDRAIL_KEY, or the file hook.json beside this program, say where Handrail is.
set -u && umask 077
client=$1 kind=$2 timeout=3600 mode=headless box=none failure= && shift 2
while [ $# -gt 1 ]; do
  case $1 in --timeout) timeout=$2 ;; --mode) mode=$2 ;; --box) box=$2 ;; --on-failure) failure=$2 ;; esac
  shift 2
done
# Seconds of a clock that nobody sets, where the system has one.
now() { cut -d. -f1 /proc/uptime 2>/dev/null || date +%s; }
started=$(now) call='' reached='' pid='' watch=''
work=$(mktemp -d) || exit 2
leave() { code=$?; [ -z "$watch" ] || kill "$watch" 2>/dev/null; rm -rf "$work"; [ "$kind" = tell ] && exit 0; [ "$code" -eq 0 ] || exit 2; exit 0; }
trap leave EXIT
# Codex and Gemini run the call after a silent exit code 2. Gemini also runs it after plain text when a signal kills the shell of its hook.
stop() { echo "Handrail: $1" >&2; [ "$client $kind" != "gemini ask" ] || echo "{\"decision\":\"deny\",\"reason\":\"Handrail: $(printf %s "$1" | tr '\\"[:cntrl:]' "/' ")\"}"; exit 2; }
withdraw() {
  [ -z "$pid" ] || kill "$pid" 2>/dev/null
  [ -z "$call" ] || post "$url/api/v1/guarded-calls/$call/cancel" /dev/null 3
  stop "the hook was interrupted before it had an answer."
}
trap withdraw INT TERM HUP; cat >"$work/body"
[ "$kind" = tell ] || [ "$timeout" -gt 30 ] 2>/dev/null || stop "--timeout $timeout leaves nobody time to decide, so the call was not run. It has to be more than 30 seconds."
command -v curl >/dev/null || stop "curl is not installed, so the call was not run."
settings=$(dirname "$0")/hook.json
kept() { [ -f "$settings" ] && sed -n 's/.*"'"$1"'" *: *"\([^"]*\)".*/\1/p' "$settings"; }
url=${"$"}{HANDRAIL_URL:-$(kept url)}; url=${"$"}{url%/} key=${"$"}{HANDRAIL_KEY:-$(kept key)}
[ -n "$url" ] && [ -n "$key" ] || stop "HANDRAIL_URL and HANDRAIL_KEY are not set, and there is no $settings."
# Finds a name in the folder or in one above it, not beyond the repository.
nearest() {
  at=$folder
  while [ ! -e "$at/$1" ]; do if [ "$at" = / ] || [ -e "$at/.git" ]; then return; fi; at=$(dirname "$at"); done
  echo "$at/$1"
}
sha256() { if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi | cut -c1-64; }
encode() { printf %s "$1" | od -An -v -tx1 | tr -d ' \n' | sed 's/../%&/g'; }
# Finds the links among the words of the call, each with the file behind it, because Handrail does not see this machine.
links() {
  root=$(cd "$folder" && pwd -P) top=$(nearest .git)
  sed 's/\\[nt"]/ /g' "$work/body" | tr -s '[:space:]"\047\140;&|<>(){}=,:\\' '\n' | from=$folder top=$(dirname "${"$"}{top:-$folder/x}") awk 'length($0) < 4096 {
    at = $0; if (!sub(/^~/, ENVIRON["HOME"], at) && at !~ /^\//) at = ENVIRON["from"] "/" at
    count = split(at, names, "/"); depth = 0; path = ""
    for (i = 1; i <= count; i++) if (names[i] == "..") depth -= (depth > 0); else if (names[i] != "" && names[i] != ".") kept[++depth] = names[i]
    for (i = 1; i <= depth; i++) { path = path "/" kept[i]; if (index(path, ENVIRON["HOME"] "/") == 1 || index(path, ENVIRON["top"] "/") == 1) print path }
  }' | sort -u | while IFS= read -r at; do
    [ -L "$at" ] || continue
    # A link to nothing leads out of the project, because the call may make its file.
    real=$(readlink -f "$at") || real=/nothing/${"$"}{at##*/}
    case $real in "$root") real=$folder ;; "$root"/*) real=$folder${"$"}{real#"$root"} ;; esac
    printf '%s\n' "$at" "$real"
  done | sed -e 's/\\/&&/g' -e 's/"/\\"/g' -e 's/.*/"&"/' | paste -d: - - | paste -s -d, -
}
case $client in claude-code) folder=${"$"}{CLAUDE_PROJECT_DIR:-} ;; gemini) folder=${"$"}{GEMINI_PROJECT_DIR:-} ;; *) folder= ;; esac
[ -n "$folder" ] || folder=$(sed -n 's/.*"cwd" *: *"\(\/[^"\\]*\)".*/\1/p' "$work/body" | head -n 1)
[ -d "$folder" ] || folder=$PWD
repository=$(cd "$folder" && git config --get remote.origin.url 2>/dev/null | sed 's|//[^/@]*@|//|')
file=$(nearest .handrail.yaml) policy=- version='' found=''
if [ -n "$file" ]; then
  [ -r "$file" ] || stop "$file cannot be read, so the call was not run."
  # With a newline at its end, as it is sent.
  awk '{ print }' "$file" >"$work/policy"
  policy=$(sha256 <"$work/policy")
fi
if [ "$kind" = tell ] && grep -qi '"hook_event_name" *: *"sessionstart"' "$work/body"; then
  case $client in claude-code) program=claude ;; *) program=$client ;; esac
  version=$("$program" --version 2>/dev/null </dev/null | sed -n 's/^[^0-9]*\([0-9][0-9.]*\).*/\1/p' | head -n 1)
fi
about="timeout=$timeout&mode=$mode&box=$box&call=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')&policy=$policy"
[ "$kind" = tell ] || found=$(links)
[ -z "$found" ] || found="{$found}"
for fact in "links=$found" "home=$HOME" "host=$(uname -n)" "user=$(id -un)" "repository=${"$"}{repository:--}" "version=$version" "onFailure=$failure"; do
  [ -z "${"$"}{fact#*=}" ] || about="$about&${"$"}{fact%%=*}=$(encode "${"$"}{fact#*=}")"
done
# The key comes by standard input, so that no list of processes shows it. In the background, so that signals are heard at once.
post() {
  rm -f "$work/head" "$work/answer"
  printf 'header = "Authorization: Bearer %s"\n' "$key" | curl -sS -K - -X POST -H 'content-type: application/json' --max-time "$3" \
    --data-binary "@$2" -D "$work/head" -o "$work/answer" -w '%{http_code}' "$1" >"$work/status" 2>"$work/problem" &
  pid=$! && wait "$pid" || return 1
  status=$(cat "$work/status")
}
header() { tr -d '\r' <"$work/head" | sed -n "s/^$1: //p" | tail -n 1; }
told() { sed -n 's/.*"detail" *: *"\([^"]*\)".*/\1/p' "$work/answer" | grep . || head -c 500 "$work/answer"; }; is_ours() { [ "$(header '[Hh]andrail-[Hh]ook')" = "$client" ]; }
print_answer() {
  is_ours || stop "something else than Handrail answered, so the call was not run."
  case $(tr -d ' \n' <"$work/answer") in '{}') ;; '{'*'}') cat "$work/answer" ;; *) stop "the answer is not whole, so the call was not run." ;; esac
  exit 0
}
hand_over_policy() {
  tab=$(printf '\t') return=$(printf '\r')
  printf '{"text":"' >"$work/text"
  { sed -e 's/\\/&&/g' -e 's/"/\\&/g' -e "s/$tab/\\\\t/g" -e "s/$return/\\\\r/g" -e 's/$/\\n/' "$work/policy" | tr -d '\n'; printf '"}'; } >>"$work/text"
  post "$url/api/v1/repository-policies" "$work/text" 20 || return 0
  [ "$status" = 200 ] || stop "$file was not accepted, so the call was not run: $(told)"
}
# The client above the shell that started this program. Some clients end without a word to their hooks.
above() { ps -o ppid= -p "$PPID" 2>/dev/null || echo gone; }
watch_client() { while sleep 3; do [ "$(above)" = "$1" ] || { kill -TERM $$; return; }; done; }
where="$url/agent-hooks/$client?$about"
if [ "$kind" = tell ]; then post "$where" "$work/body" 20 && [ "$status" = 200 ] && print_answer; exit 0; fi
command -v ps >/dev/null && { watch_client "$(above)" >/dev/null 2>&1 & watch=$!; }
while :; do
  passed=$(($(now) - started)) pause=1
  [ "$passed" -le $((timeout - 30)) ] || stop "nobody decided in time, so the call was not run."
  # The first request only asks, so that the call is known when somebody stops this program.
  if post "$where&wait=${"$"}{reached:-0}" "$work/body" 55; then
    case $status in
      200) print_answer ;;
      202) is_ours && { reached=25 call=$(header '[Hh]andrail-[Cc]all') pause=0; } ;;
      428) [ -n "$file" ] && is_ours && { hand_over_policy; pause=0; } ;;
      408 | 429 | 5*) ;;
      *) stop "it refused the request ($status): $(told)" ;;
    esac
  fi
  [ -n "$reached" ] || [ "$passed" -le 6 ] || stop "it cannot be reached, so the call was not run: $(cat "$work/problem")"
  [ "$pause" -eq 0 ] || sleep 1
done
`;

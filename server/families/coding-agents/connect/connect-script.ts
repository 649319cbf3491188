import { sha256 } from "@/server/platform/crypto";
import { connectProgram } from "./connect-program";
import { hookProgram } from "./hook-program";
import { hookScript } from "./hook-script";
import { opencodePlugin } from "./opencode-plugin";

/** The files that a machine gets, by their names. */
export const connectFiles: Readonly<Record<string, string>> = {
  "handrail-hook": hookProgram,
  "handrail-hook.cjs": hookProgram,
  "handrail-hook.sh": hookScript,
  "connect.cjs": connectProgram,
  "handrail-opencode.js": opencodePlugin,
};

const digestOf = (name: string): string => sha256(connectFiles[name] ?? "");

/** A word for a shell, whatever stands in it. */
const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Returns the script that connects a machine: it fetches the files, checks their digests and writes the settings of one client. */
export function connectScript(url: string): string {
  const fetches = ["handrail-hook.cjs", "connect.cjs", "handrail-opencode.js"].map((name) => `get ${name} ${digestOf(name)}`);
  return `#!/bin/sh
# Connects a coding agent on this machine with Handrail. Read it first:  curl -fsS ${url}/connect
#   curl -fsS ${url}/connect | HANDRAIL_KEY=hr_... sh -s claude-code
# Clients: claude-code codex gemini copilot opencode cursor.   Options: --project --mode desk --box container --undo
set -eu
umask 077
url=${shellWord(url)}
folder="\${XDG_CONFIG_HOME:-$HOME/.config}/handrail"
[ $# -gt 0 ] || { echo "Name a client: sh -s claude-code" >&2; exit 1; }
mkdir -p "$folder"
if ! command -v node >/dev/null; then
  # Settings are JSON that only Node can mend, so without it a person writes one line.
  [ -n "\${HANDRAIL_KEY:-}" ] || { echo "Set HANDRAIL_KEY to a key with the scope guard:ask." >&2; exit 1; }
  curl -fsS "$url/connect/handrail-hook.sh" -o "$folder/handrail-hook.sh.new"
  if command -v sha256sum >/dev/null; then found=$(sha256sum <"$folder/handrail-hook.sh.new"); else found=$(shasum -a 256 <"$folder/handrail-hook.sh.new"); fi
  case $found in ${digestOf("handrail-hook.sh")}*) ;; *) echo "handrail-hook.sh is not what Handrail serves: nothing was changed." >&2; exit 1 ;; esac
  mv "$folder/handrail-hook.sh.new" "$folder/handrail-hook.sh"
  printf '{"url":"%s","key":"%s"}\\n' "$url" "$HANDRAIL_KEY" >"$folder/hook.json"
  echo "There is no Node here, so the settings of $1 were not written. Its hook before each call, with a limit of an hour:"
  hook="sh '$folder/handrail-hook.sh' $1 ask --timeout 3600"
  # Codex and Gemini run the call when a signal kills the shell of their hook, and after a silent exit code 2.
  case $1 in
    codex | gemini) echo "  trap : INT TERM HUP; $hook || eval 'echo "Handrail did not allow the call." >&2; exit 2'" ;;
    *) echo "  $hook || exit 2" ;;
  esac
  exit 0
fi
get() {
  curl -fsS "$url/connect/$1" -o "$folder/$1.new"
  node -e 'const c=require("node:crypto"),f=require("node:fs");process.exit(c.createHash("sha256").update(f.readFileSync(process.argv[1])).digest("hex")===process.argv[2]?0:1)' "$folder/$1.new" "$2" ||
    { echo "$1 is not what Handrail serves: nothing was changed." >&2; exit 1; }
  mv "$folder/$1.new" "$folder/$1"
}
${fetches.join("\n")}
case " $* " in *" --undo "*) ;; *)
  if [ -z "\${HANDRAIL_KEY:-}" ] && [ ! -f "$folder/hook.json" ]; then
    echo "Set HANDRAIL_KEY to a key with the scope guard:ask. The page Coding agents of Handrail makes one." >&2; exit 1
  fi ;;
esac
export HANDRAIL_URL="$url"
exec node "$folder/connect.cjs" "$@"
`;
}

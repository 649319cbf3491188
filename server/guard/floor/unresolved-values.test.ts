import { expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { readShell } from "@/server/testing/guard/read-shell";
import { decide } from "../decide";
import { checkHardFloor } from "./check-hard-floor";

const isInFloor = (command: string) => checkHardFloor(readShell(command)).length > 0;
const allowing = policyOfRules([], { defaultPolicy: "allow" });

/**
 * Nobody can say what these scripts do, because functions, positional parameters, arrays, input and computed values are
 * not followed. A person is asked even when the default policy allows everything.
 */
const notFollowed: readonly string[] = [
  "rm -rf ${HOME:?unset}",
  "x=/; rm -rf $\\\nx",
  "rm${IFS}-rf${IFS}/",
  "$(which sh) -c 'rm -rf /'",
  "\"$SHELL\" -c 'rm -rf /'",
  'a=(rm -rf /); "${a[@]}"',
  "kill -9 $((0-1))",
  "kill -9 $[0-1]",
  'f(){ rm -rf "$1"; }; f /',
  "$(which reboot)",
  "rm -rf $(echo /)",
  "cd; rm -rf *",
  "ls 1>(rm -rf /)",
  "parallel -I% % ::: reboot",
  "echo reboot | parallel",
  "printf 'a,reboot' | xargs -d, -I{} {}",
  "echo '\"/\"' | xargs rm -rf",
  "sh -c '$0' reboot",
  'sh -c \'"$0" "$@"\' rm -rf /',
  "bash -s / <<< 'rm -rf $1'",
  "bash -c '\"$@\"' _ reboot",
  "sh -c 'rm -rf \"$1\"' _ /",
  "echo / | xargs -n1 sh -c 'rm -rf \"$1\"' _",
  "set -- / ; rm -rf $1",
  'set -- /; for x; do rm -rf "$x"; done',
  'f() { for x; do rm -rf "$x"; done; }; f /',
  'f() { cd "$1" && rm -rf *; }; f /',
  "f() { echo \"$1\" | sh; }; f 'rm -rf /'",
  'f() { echo "$1" | while read x; do rm -rf $x; done; }; f /',
  "f() { rm -rf $1; }; for x in a b /; do f $x; done",
  "f() { read x; rm -rf $x; }; echo / | f",
  "printf 'a\\n/\\n' | while read -r l; do rm -rf \"$l\"; done",
  "read a b <<< 'x /'; rm -rf \"$b\"",
  "read x < <(echo /); rm -rf $x",
  "sh < <(echo reboot)",
  "x=(a b /); rm -rf ${x[-1]}",
  ": ${x:=/}; rm -rf $x",
  "((rm -rf /))",
  "bash <(echo reboot)",
  "$(echo reboot)",
  "re$@boot",
  "re${UNSET}boot",
  "x=re; y=boot; $x$y",
  "f() { rm -rf \"$1\"; }; eval 'f /'",
  "f() { rm -rf \"$1\"; }; export -f f; bash -c 'f /'",
  'f() { rm -rf "$1"; }; export -f f; parallel f ::: /',
  "eval 'f() { rm -rf \"$1\"; };'; f /",
  "source <(echo 'f() { rm -rf \"$1\"; };'); f /",
  "alias x='rm -rf'; x /",
  "x=(rm -rf /); eval '${x[@]}'",
  "set -- /; eval 'rm -rf $1'",
  "f() { eval 'rm -rf $1'; }; f /",
  "f() { export x=$1; sh -c 'rm -rf $x'; }; f /",
  'while read x; do rm -rf "$x"; done <<< /',
  '{ read x; rm -rf "$x"; } <<< /',
  "exec <<< /; read x; rm -rf $x",
  "bash <(echo rm -rf /)",
  "source <(echo rm -rf /)",
  "parallel -a <(echo reboot)",
  "parallel {1}{2} ::: re a ::: b boot",
  "xargs -a <(echo reboot) -I{} sh -c {}",
  "echo 're\\boot' | xargs -I{} {}",
  "y=x; x=/; rm -rf ${!y}",
  "declare -n r=x; x=/; rm -rf $r",
  "x=tmp; unset x; rm -rf /$x",
  "x=tmp; read x; rm -rf /$x",
  "x=tmp; sh -c 'rm -rf /$x'",
];

test.each(notFollowed)("is asked about, never allowed: %s", (command) => {
  expect(decide(allowing, shellCall(command)).verdict).toBe("require_approval");
});

test.each(examples`
  x=/ sh -c 'rm -rf $x' ¦ env x=/ sh -c 'rm -rf $x' ¦ env -i x=/ sh -c 'rm -rf $x' ¦ sudo x=/ sh -c 'rm -rf $x'
  export x=/; sh -c 'rm -rf $x' ¦ x=/; export x; bash -c 'rm -rf $x' ¦ declare -x x=/; bash -c 'rm -rf $x'
  set -a; x=/; sh -c 'rm -rf $x' ¦ for x in / tmp; do export x; sh -c 'rm -rf $x'; done ¦ x=/ eval 'rm -rf $x' ¦ x=/; eval 'rm -rf $x'
  eval 'x=/'; rm -rf $x ¦ . <(echo 'x=/'); rm -rf $x ¦ { read x < list; rm -rf /$x; } <<< tmp ¦ x=/; (x=tmp); rm -rf $x
  x=/; x=tmp | true; rm -rf $x ¦ x=/; true | read x; rm -rf $x ¦ x=/; x=tmp & rm -rf $x ¦ x=/; $(x=tmp); rm -rf $x
  x=/; cat <(x=tmp); rm -rf $x ¦ x=/; if false; then x=tmp; fi; rm -rf $x
  x=/; if true; then :; elif x=tmp; then :; else x=tmp; fi; rm -rf $x ¦ x=/; false && x=tmp; rm -rf $x ¦ x=/; true || x=tmp; rm -rf "$x"
  x=/; while false; do x=tmp; done; rm -rf $x ¦ x=/; case a in b) x=tmp ;; esac; rm -rf $x ¦ x=/; (x=tmp; x=tmp2); (x=tmp3); rm -rf $x
`)("a value that is written out for a variable counts wherever it stands: %s", (command) => expect(isInFloor(command)).toBe(true));

test.each([
  ...examples`
    x=build; if true; then x=dist; fi; rm -rf $x ¦ x=; if true; then x=build; else x=dist; fi; rm -rf $x
    n=0; while [ $n -lt 3 ]; do n=$((n + 1)); rm -rf "build/$n"; done ¦ dir=build; [ -n "$1" ] && dir=$1; rm -rf "./$dir"
    export x=build/old; sh -c 'rm -rf ./$x' ¦ while read x; do rm -rf "build/$x"; done <<< old ¦ while read x; do echo "$x"; done <<< /
    f() { rm -rf "$1"; }; export -f f; bash -c 'f build' ¦ parallel -a list gzip ¦ xargs -a list rm -rf
    x=/; declare -n r=y; y=build; rm -rf $r ¦ alias x='rm -rf'; x build
  `,
  "y=x; x=build; rm -rf ${!y}",
])("a value in the workspace is no matter for the floor: %s", (command) => expect(isInFloor(command)).toBe(false));

import { describe, expect, test } from "vitest";
import { readShell } from "../shell/running-commands";
import { findInFloor } from "./find-in-floor";

const isInFloor = (command: string) => findInFloor(readShell(command)).length > 0;

const deletes = 'f() { rm -rf "$1"; };';

describe("is never run, approved or not, though one script does it through another", () => {
  test.each([
    `${deletes} eval 'f /'`,
    `${deletes} export -f f; bash -c 'f /'`,
    `${deletes} export -f f; echo / | xargs -I{} bash -c 'f {}'`,
    `${deletes} export -f f; find . -exec bash -c 'f /' \\;`,
    `${deletes} export -f f; parallel f ::: /`,
    "f() { g /; }; g() { rm -rf $1; }; eval f",
    `eval '${deletes}'; f /`,
    `source <(echo '${deletes}'); f /`,
    "alias x='rm -rf'; x /",
  ])("a function: %s", (command) => expect(isInFloor(command)).toBe(true));

  test.each([
    "x=/ sh -c 'rm -rf $x'",
    "env x=/ sh -c 'rm -rf $x'",
    "env -i x=/ sh -c 'rm -rf $x'",
    "sudo x=/ sh -c 'rm -rf $x'",
    "export x=/; sh -c 'rm -rf $x'",
    "x=/; export x; bash -c 'rm -rf $x'",
    "declare -x x=/; bash -c 'rm -rf $x'",
    "set -a; x=/; sh -c 'rm -rf $x'",
    "for x in / tmp; do export x; sh -c 'rm -rf $x'; done",
    "x=/ eval 'rm -rf $x'",
    "x=/; eval 'rm -rf $x'",
    "x=(rm -rf /); eval '${x[@]}'",
    "y=x; x=/; eval 'rm -rf ${!y}'",
    "set -- /; eval 'rm -rf $1'",
    "f() { eval 'rm -rf $1'; }; f /",
    "f() { export x=$1; sh -c 'rm -rf $x'; }; f /",
    "eval 'x=/'; rm -rf $x",
    ". <(echo 'x=/'); rm -rf $x",
  ])("a variable: %s", (command) => expect(isInFloor(command)).toBe(true));

  test.each([
    'while read x; do rm -rf "$x"; done <<< /',
    'while read -r x; do rm -rf "$x"; done < <(echo /)',
    'while read x; do rm -rf "$x"; done <<E\n/\nE',
    '{ read x; rm -rf "$x"; } <<< /',
    "(read x; rm -rf $x) <<< /",
    "if read x; then rm -rf $x; fi <<< /",
    "f() { read x; rm -rf $x; } <<< /; f",
    "echo b | { read x; rm -rf $x; } <<< /",
    "exec <<< /; read x; rm -rf $x",
    "exec < <(echo /); read x; rm -rf $x",
    "exec 3<<< /; read -u 3 x; rm -rf $x",
    "bash <(echo rm -rf /)",
    "source <(echo rm -rf /)",
    "parallel -a <(echo reboot)",
    "parallel :::: <(echo reboot)",
    "parallel rm -rf :::: <(echo /)",
    "parallel {1}{2} ::: re a ::: b boot",
    "xargs -a <(echo reboot) -I{} sh -c {}",
    "xargs --arg-file <(echo /) rm -rf",
    "echo 're\\boot' | xargs -I{} {}",
  ])("what it reads: %s", (command) => expect(isInFloor(command)).toBe(true));

  test.each([
    "y=x; x=/; rm -rf ${!y}",
    "declare -n r=x; x=/; rm -rf $r",
    "local -n r=x; x=/; rm -rf $r",
    "typeset -n r; r=x; x=/; rm -rf $r",
  ])("a name that stands for another one: %s", (command) => expect(isInFloor(command)).toBe(true));
});

test.each([
  "x=tmp; unset x; rm -rf /$x",
  "x=tmp; read x; rm -rf /$x",
  "x=tmp; sh -c 'rm -rf /$x'",
  "export x=tmp; sudo sh -c 'rm -rf /$x'",
  "export x=tmp; env -i sh -c 'rm -rf /$x'",
  "x=tmp env -u x sh -c 'rm -rf /$x'",
  "{ read x < list; rm -rf /$x; } <<< tmp",
])("a variable that a script does not get may be empty: %s", (command) => {
  expect(isInFloor(command)).toBe(true);
});

test.each([
  "x=/; (x=tmp); rm -rf $x",
  "x=/; x=tmp | true; rm -rf $x",
  "x=/; true | read x; rm -rf $x",
  "x=/; x=tmp & rm -rf $x",
  "x=/; $(x=tmp); rm -rf $x",
  "x=/; cat <(x=tmp); rm -rf $x",
  "x=/; if false; then x=tmp; fi; rm -rf $x",
  "x=/; if true; then :; elif x=tmp; then :; else x=tmp; fi; rm -rf $x",
  "x=/; false && x=tmp; rm -rf $x",
  'x=/; true || x=tmp; rm -rf "$x"',
  "x=/; while false; do x=tmp; done; rm -rf $x",
  "x=/; case a in b) x=tmp ;; esac; rm -rf $x",
  "x=/; (x=tmp; x=tmp2); (x=tmp3); rm -rf $x",
])("a variable may hold what it held before a subshell, a pipe or a branch gave it something: %s", (command) => {
  expect(isInFloor(command)).toBe(true);
});

test.each([
  "x=/; (x=tmp); x=build; rm -rf $x",
  "x=build; if true; then x=dist; fi; rm -rf $x",
  "x=; if true; then x=build; else x=dist; fi; rm -rf $x",
  'n=0; while [ $n -lt 3 ]; do n=$((n + 1)); rm -rf "build/$n"; done',
  'dir=build; [ -n "$1" ] && dir=$1; rm -rf "./$dir"',
])("and what branches give in the workspace is no matter for the floor: %s", (command) => {
  expect(isInFloor(command)).toBe(false);
});

test.each([
  "export x=build/old; sh -c 'rm -rf ./$x'",
  "HOME=tmp/home sh -c 'rm -rf $HOME'",
  'while read x; do rm -rf "build/$x"; done <<< old',
  'while read x; do echo "$x"; done <<< /',
  `${deletes} export -f f; bash -c 'f build'`,
  "parallel -a list gzip",
  "xargs -a list rm -rf",
  "y=x; x=build; rm -rf ${!y}",
  "x=/; declare -n r=y; y=build; rm -rf $r",
  "alias x='rm -rf'; x build",
])("what runs through another script in the workspace is no matter for the floor: %s", (command) => {
  expect(isInFloor(command)).toBe(false);
});

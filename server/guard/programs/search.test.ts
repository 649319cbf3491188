import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["grep -rn TODO src", "read inside src recursive"],
  ["grep -rn TODO", "read inside . recursive"],
  ["grep foo", ""],
  ["grep -e foo a b", "read inside a; read inside b"],
  ["grep -f patterns b", "read inside patterns; read inside b"],
  ["grep -d recurse foo", "read inside . recursive"],
  ['nice -n "5" grep -rn $x src', "read not_known; read inside src recursive"],
  ["rg foo", "read inside . recursive"],
  ["rg --files src", "read inside src recursive"],
  ["rg --pre sh foo", "execute not_known; read inside . recursive; !shell.runs_command"],
  ["ag -g x src", "read inside src recursive"],
  ["find . -name '*.ts'", "read names inside . recursive"],
  ["find . -name *.ts", "read names inside . recursive"],
  ["find", "read names inside . recursive"],
  ["find -L -D tree . -size +1M", "read names inside . recursive"],
  ["find . -exec ls {} \\;", "read names inside . recursive"],
  ["find src -type f -exec rm {} +", "read names inside src recursive; delete inside src recursive; !shell.delete; !shell.find_exec"],
  [
    'find $(pwd) "$x" -exec rm a{} \\;',
    "execute not_known; read names inside . recursive; read names not_known recursive; delete inside a recursive; delete not_known recursive; !shell.not_followed; !shell.delete; !shell.find_exec",
  ],
  ["find src -exec sh -c 'rm \"$1\"' _ {} \\;", "read names inside src recursive; delete not_known; !shell.delete; !shell.find_exec"],
  ["find . -exec grep foo {}", "read names inside . recursive; read inside . recursive"],
  [
    "find . -exec sed -i s/a/b/ {} +",
    "read names inside . recursive; write inside . recursive; !shell.text_program_writes; !shell.find_exec",
  ],
  ["find . -name", "read names inside . recursive"],
  ["find . -newer", "read names inside . recursive"],
  ["find -H", "read names inside . recursive"],
  ["fd foo src lib", "read names inside src recursive; read names inside lib recursive"],
  [
    "find dist docs -delete",
    "read names inside dist recursive; read names inside docs recursive; delete inside dist recursive; delete inside docs recursive; !shell.find_delete",
  ],
  [
    "find . -fprintf out '%p' -newer a -samefile b",
    "read names inside . recursive; write inside out; read names inside a; read names inside b; !shell.find_write",
  ],
  ["find . -fprint out", "read names inside . recursive; write inside out; !shell.find_write"],
  ["find . -files0-from list", "read names inside . recursive; read inside list; read not_known"],
  ["find . \\( -name a -o -name b \\) ! -name c -print", "read names inside . recursive"],
  ['for e in ts md; do find . -name "*.$e"; done', "read names inside . recursive"],
  ["find $x -name a", "execute not_known; read names not_known recursive; !shell.not_followed"],
  ["find . -d*", "execute not_known; read names inside . recursive; !shell.not_followed"],
  ["find . $x", "execute not_known; read names inside . recursive; read names not_known recursive; !shell.not_followed"],
  ["fd foo src -x rm", "read names inside src recursive; delete inside src recursive; !shell.find_exec; !shell.delete"],
  ["fd foo -X stat {} ';'", "read names inside . recursive; !shell.find_exec"],
  ["fd foo -x", "read names inside . recursive; execute not_known; !shell.find_exec; !shell.runs_command"],
  ["fd foo --search-path lib -e ts", "read names inside lib recursive"],
  ["locate x", "read names outside / recursive"],
  ["jq . a.json", "read inside a.json"],
  ["jq -r --arg a b --slurpfile x data .c f.json", "read inside data; read inside f.json"],
  ["jq --arg a", ""],
  ["jq -f prog.jq f", "read inside prog.jq; read not_known; read inside f"],
  ["jq 'import \"a\" as $x; .' f", "read not_known; read inside f"],
  ['jq "$x" f', "read not_known; read inside f"],
  ["yq -i '.a=1' f.yml", "write inside f.yml"],
  ["yq eval '.a' f.yml", "read inside f.yml"],
  ["yq /srv/x", "read outside /srv/x"],
  ["cat x | jq .", "read inside x"],
];

it.each(commands)("%s: a search reads its files, and its actions write, delete and run", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});

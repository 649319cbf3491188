import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["sed -n '1,20p' a", "read inside a"],
  ["sed 's/a/b/g' a", "read inside a"],
  ["sed -i 's/foo/bar/' a", "write inside a; !shell.text_program_writes"],
  ["sed -i.bak -e 's/we/ew/' -e '/x/d' a", "write inside a; !shell.text_program_writes"],
  ["sed -i.e1p 'e id' a", "execute not_known; write inside a; !shell.text_program_writes; !shell.text_program_runs"],
  ["sed -i '' 's/a/b/' a", "write inside a; !shell.text_program_writes"],
  ["sed -i '' 'e id' a", "execute not_known; write inside a; !shell.text_program_writes; !shell.text_program_runs"],
  ['sed "s/a/$x/" a', "execute not_known; read inside a; !shell.text_program_runs"],
  ["sed -f prog a", "execute inside prog; read inside a; !shell.written_program"],
  ["sed -l 'e id' a", "execute not_known; read inside a; !shell.text_program_runs"],
  ["sed -l 5 p a", "read inside a"],
  ["sed 's/a/b/w out' a", "write inside out; read inside a; !shell.text_program_writes"],
  ["sed '/x/r data' a", "read inside data; read inside a"],
  ["sed", ""],
  ["cat a | sed 's/a/b/'", "read inside a"],
  ["awk '{ print $1 }' a", "read inside a"],
  ["awk '{ print > \"out\" }' a", "execute not_known; read inside a; !shell.text_program_runs; !shell.text_program_writes"],
  ["awk -f p.awk a x=1", "execute inside p.awk; read inside a; !shell.written_program"],
  ["awk -v n=3 'NR == n' a", "read inside a"],
  ['awk "{print $x}" a', "execute not_known; read inside a; !shell.text_program_runs"],
  ["gawk -i inplace '{print}' a", "write inside a; !shell.text_program_writes"],
  ["gawk -i lib '{print}' a", "execute not_known; read inside a; !shell.loads_code"],
  ["gawk --source '{print}' a", "read inside a"],
  ["gawk -dvars '{print}' a", "write not_known; read inside a"],
  ["awk", ""],
  ["awk --source", ""],
  ["gawk -i \"$x\" '{print}' a", "execute not_known; read inside a; !shell.loads_code"],
  ["sed -i", ""],
  ["sed -e p -f prog a", "execute inside prog; read inside a; !shell.written_program"],
  ["uniq", ""],
  ["sort a | uniq -c | sort -rn | head", "read inside a"],
  ["uniq -f 1 a b", "read inside a; write inside b; !shell.text_program_writes"],
  ["date +%s -d yesterday", ""],
  ["date 12312359", "elevate outside; !shell.machine_setup"],
  ["date -Iseconds", ""],
  ["column -t a", "read inside a"],
  ["echo 1 | dc", "execute not_known; !shell.piped_program"],
  ["cut -d, -f1 a", "read inside a"],
];

it.each(commands)("%s: a text program reads its files, and changes them where it says so", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});

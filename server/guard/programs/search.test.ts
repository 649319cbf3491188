import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

/** Commands, their effects, and the detectors of their notes. */
const commands = examplesByName({
  "read inside src recursive": examples`grep -rn TODO src ¦ rg --files src ¦ ag -g x src`,
  "read inside . recursive": examples`grep -rn TODO ¦ grep -d recurse foo ¦ rg foo`,
  "": examples`grep foo ¦ jq --arg a`,
  "read inside a; read inside b": examples`grep -e foo a b`,
  "read inside patterns; read inside b": examples`grep -f patterns b`,
  "read not_known; read inside src recursive": examples`nice -n "5" grep -rn $x src`,
  "execute not_known; read inside . recursive; !shell.runs_command": examples`rg --pre sh foo`,
  "read names inside . recursive": examples`
    find . -name '*.ts' ¦ find . -name *.ts ¦ find ¦ find -L -D tree . -size +1M ¦ find . -exec ls {} \; ¦ find . -name ¦ find . -newer
    find -H ¦ find . \( -name a -o -name b \) ! -name c -print ¦ for e in ts md; do find . -name "*.$e"; done
  `,
  "read names inside src recursive; delete inside src recursive; !shell.delete; !shell.find_exec": examples`find src -type f -exec rm {} +`,
  "execute not_known; read names inside . recursive; read names not_known recursive; delete inside a recursive; delete not_known recursive; !shell.not_followed; !shell.delete; !shell.find_exec": examples`
    find $(pwd) "$x" -exec rm a{} \;
  `,
  "read names inside src recursive; delete not_known; !shell.delete; !shell.find_exec": examples`find src -exec sh -c 'rm "$1"' _ {} \;`,
  "read names inside . recursive; read inside . recursive": examples`find . -exec grep foo {}`,
  "read names inside . recursive; write inside . recursive; !shell.text_program_writes; !shell.find_exec": examples`find . -exec sed -i s/a/b/ {} +`,
  "read names inside src recursive; read names inside lib recursive": examples`fd foo src lib`,
  "read names inside dist recursive; read names inside docs recursive; delete inside dist recursive; delete inside docs recursive; !shell.find_delete": examples`
    find dist docs -delete
  `,
  "read names inside . recursive; write inside out; read names inside a; read names inside b; !shell.find_write": examples`find . -fprintf out '%p' -newer a -samefile b`,
  "read names inside . recursive; write inside out; !shell.find_write": examples`find . -fprint out`,
  "read names inside . recursive; read inside list; read not_known": examples`find . -files0-from list`,
  "execute not_known; read names not_known recursive; !shell.not_followed": examples`find $x -name a`,
  "execute not_known; read names inside . recursive; !shell.not_followed": examples`find . -d*`,
  "execute not_known; read names inside . recursive; read names not_known recursive; !shell.not_followed": examples`find . $x`,
  "read names inside src recursive; delete inside src recursive; !shell.find_exec; !shell.delete": examples`fd foo src -x rm`,
  "read names inside . recursive; !shell.find_exec": examples`fd foo -X stat {} ';'`,
  "read names inside . recursive; execute not_known; !shell.find_exec; !shell.runs_command": examples`fd foo -x`,
  "read names inside lib recursive": examples`fd foo --search-path lib -e ts`,
  "read names outside / recursive": examples`locate x`,
  "read inside a.json": examples`jq . a.json`,
  "read inside data; read inside f.json": examples`jq -r --arg a b --slurpfile x data .c f.json`,
  "read inside prog.jq; read not_known; read inside f": examples`jq -f prog.jq f`,
  "read not_known; read inside f": examples`jq 'import "a" as $x; .' f ¦ jq "$x" f`,
  "write inside f.yml": examples`yq -i '.a=1' f.yml`,
  "read inside f.yml": examples`yq eval '.a' f.yml`,
  "read outside /srv/x": examples`yq /srv/x`,
  "read inside x": examples`cat x | jq .`,
});

it.each(commands)("a search reads its files, and its actions write, delete and run: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});

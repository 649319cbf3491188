import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

/** Commands, their effects, and the detectors of their notes. */
const commands = examplesByName({
  "read inside a": examples`
    sed -n '1,20p' a ¦ sed 's/a/b/g' a ¦ sed -l 5 p a ¦ cat a | sed 's/a/b/' ¦ awk '{ print $1 }' a ¦ awk -v n=3 'NR == n' a
    gawk --source '{print}' a ¦ sort a | uniq -c | sort -rn | head ¦ column -t a ¦ cut -d, -f1 a
  `,
  "write inside a; !shell.text_program_writes": examples`
    sed -i 's/foo/bar/' a ¦ sed -i.bak -e 's/we/ew/' -e '/x/d' a ¦ sed -i '' 's/a/b/' a ¦ gawk -i inplace '{print}' a
  `,
  "execute not_known; write inside a; !shell.text_program_writes; !shell.text_program_runs": examples`sed -i.e1p 'e id' a ¦ sed -i '' 'e id' a`,
  "execute not_known; read inside a; !shell.text_program_runs": examples`sed "s/a/$x/" a ¦ sed -l 'e id' a ¦ awk "{print $x}" a`,
  "execute inside prog; read inside a; !shell.written_program": examples`sed -f prog a ¦ sed -e p -f prog a`,
  "write inside out; read inside a; !shell.text_program_writes": examples`sed 's/a/b/w out' a`,
  "read inside data; read inside a": examples`sed '/x/r data' a`,
  "": examples`sed ¦ awk ¦ awk --source ¦ sed -i ¦ uniq ¦ date +%s -d yesterday ¦ date -Iseconds`,
  "execute not_known; read inside a; !shell.text_program_runs; !shell.text_program_writes": examples`awk '{ print > "out" }' a`,
  "execute inside p.awk; read inside a; !shell.written_program": examples`awk -f p.awk a x=1`,
  "execute not_known; read inside a; !shell.loads_code": examples`gawk -i lib '{print}' a ¦ gawk -i "$x" '{print}' a`,
  "write not_known; read inside a": examples`gawk -dvars '{print}' a`,
  "read inside a; write inside b; !shell.text_program_writes": examples`uniq -f 1 a b`,
  "elevate outside; !shell.machine_setup": examples`date 12312359`,
  "execute not_known; !shell.piped_program": examples`echo 1 | dc`,
});

it.each(commands)("a text program reads its files, and changes them where it says so: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});

import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["cat list | xargs -0 cat", "read inside list; read not_known"],
  ["ls | xargs -I{} cp {} x", "read names inside .; execute not_known; read not_known; write inside x; !shell.not_followed"],
  ["ls | xargs -i cat a{}b", "read names inside .; read not_known"],
  ["ls | xargs -I F cat F a", "read names inside .; read not_known; read inside a"],
  ["xargs", ""],
  ["xargs -a list rm", "read inside list; read not_known; delete not_known recursive; !shell.delete"],
  ["ls | xargs -I{} /bin/rm {}", "read names inside .; delete not_known recursive; !shell.delete"],
  ["ls | xargs -I{} mv {} done", "read names inside .; execute not_known; delete not_known; write inside done; !shell.not_followed"],
  ["printf '%s' a | xargs rm", "delete inside a; !shell.delete"],
  ["seq 3 | parallel echo", ""],
  ["parallel gzip {} ::: a b", "write inside a; write inside b"],
  ["parallel 'gzip \"{}\"' ::: a b", "execute not_known; !shell.inline_program"],
  ["parallel 'echo {= system(\"x\") =}' ::: a", "execute not_known; !shell.inline_program"],
  ["parallel cat :::: list", "read inside list; read not_known"],
  ["parallel cat ::: $x", "read not_known"],
  ["parallel $x cat", "execute not_known; !shell.not_followed; !shell.eval"],
  ["echo 'rm a' | parallel", "execute not_known; !shell.inline_program"],
];

it.each(commands)("%s: words that come from an input are not known", (command, effects) => expect(effectLines(command)).toBe(effects));

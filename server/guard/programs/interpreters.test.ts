import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["bash", "execute not_known"],
  ["bash script.sh -c 'rm x'", "execute inside script.sh; !shell.written_program"],
  ["bash -ce 'rm a' x", "delete inside a; !shell.delete"],
  ['bash -c "$x"', "execute not_known; !shell.not_followed; !shell.eval"],
  ["bash +e -c 'rm a'", "execute not_known"],
  ["bash --version", ""],
  ["bash -s a < f", "read inside f; execute not_known"],
  ["echo x | bash -", "execute not_known; !shell.piped_program"],
  ["cd /srv && sh -c 'cat x'", "read names outside /srv; read outside /srv/x"],
  ["fish -c 'rm a'", "delete inside a; !shell.delete"],
  ["echo x | fish", "execute not_known; !shell.piped_program"],
  ["java -jar x.jar -javaagent:x", "execute inside x.jar; !shell.written_program"],
  ["java -javaagent:x -cp . Main", "execute not_known; execute inside; !shell.loads_code; !shell.written_program"],
  ["java Main.java", "execute inside Main.java; !shell.written_program"],
  ["java -version", ""],
  ["deno run x.ts", "execute inside x.ts; !shell.written_program"],
  ["deno run -", "execute not_known"],
  ["deno run", "execute not_known"],
  ["deno run https://example.com/a.ts", "connect outside example.com; execute not_known; !shell.download_and_run"],
  ["deno run npm:x", "connect not_known; execute not_known; !shell.download_and_run"],
  ["echo x | deno", "execute not_known; !shell.piped_program"],
  ["bun x.ts", "execute inside x.ts; execute inside; !shell.written_program"],
  ["vim a +12", "write inside a"],
  ["vim '+!sh' a", "execute not_known; write inside a; !shell.runs_command"],
  ["echo x | vim -es a", "execute not_known; !shell.runs_command; !shell.piped_program"],
  ["ed a", "write inside a; execute not_known"],
];

it.each(commands)("%s: a shell, a runtime or an editor runs what it is given", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});

import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { examples, examplesByName } from "@/server/testing/guard/examples";

/** Commands, their effects, and the detectors of their notes. */
const commands = examplesByName({
  "": examples`gh ¦ gh version`,
  "connect outside api.github.com": examples`gh pr list ¦ gh search ¦ gh api repos/x ¦ gh api -X GET repos/x`,
  "connect outside api.github.com; send outside api.github.com": examples`gh pr create ¦ gh api repos/x -f a=b ¦ gh issue`,
  "execute not_known; connect outside api.github.com; send outside api.github.com; !shell.not_followed": examples`gh $x list`,
  "connect outside api.github.com; send outside api.github.com; delete outside irreversible; !shell.delete_service_data": examples`
    gh api -X DELETE repos/x ¦ gh repo delete a/b --yes
  `,
  "connect outside api.github.com; write inside .": examples`gh repo clone a/b ¦ gh pr checkout 5 ¦ gh repo clone`,
  "connect outside api.github.com; write inside dir": examples`gh repo clone a/b -- dir`,
  "connect outside api.github.com; execute not_known; !shell.runs_command": examples`gh alias set x y`,
  "connect outside gitlab.com": examples`glab mr view`,
});

it.each(commands)("a client of a forge reads from it, or sends to it: %s, by `%s`", (effects, command) => {
  expect(effectLines(command)).toBe(effects);
});

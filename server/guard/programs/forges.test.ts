import { expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";

/** Commands, their effects, and the detectors of their notes. */
const commands: readonly (readonly [string, string])[] = [
  ["gh", ""],
  ["gh version", ""],
  ["gh pr list", "connect outside api.github.com"],
  ["gh search", "connect outside api.github.com"],
  ["gh pr create", "connect outside api.github.com; send outside api.github.com"],
  ["gh $x list", "execute not_known; connect outside api.github.com; send outside api.github.com; !shell.not_followed"],
  ["gh api repos/x", "connect outside api.github.com"],
  ["gh api -X GET repos/x", "connect outside api.github.com"],
  [
    "gh api -X DELETE repos/x",
    "connect outside api.github.com; send outside api.github.com; delete outside irreversible; !shell.delete_service_data",
  ],
  [
    "gh repo delete a/b --yes",
    "connect outside api.github.com; send outside api.github.com; delete outside irreversible; !shell.delete_service_data",
  ],
  ["gh api repos/x -f a=b", "connect outside api.github.com; send outside api.github.com"],
  ["gh repo clone a/b", "connect outside api.github.com; write inside ."],
  ["gh repo clone a/b -- dir", "connect outside api.github.com; write inside dir"],
  ["gh alias set x y", "connect outside api.github.com; execute not_known; !shell.runs_command"],
  ["gh pr checkout 5", "connect outside api.github.com; write inside ."],
  ["gh issue", "connect outside api.github.com; send outside api.github.com"],
  ["gh repo clone", "connect outside api.github.com; write inside ."],
  ["glab mr view", "connect outside gitlab.com"],
];

it.each(commands)("%s: a client of a forge reads from it, or sends to it", (command, effects) => {
  expect(effectLines(command)).toBe(effects);
});

import { expect, test } from "vitest";
import { joinProblems } from "./join-problems";

const session = { client: "codex" as const, host: "laptop", folder: "/home/ada/shop", problems: ["Too old."], bypassed: 0 };

test("a cause is told once for all sessions of a client on one machine, with the calls that ran", () => {
  const found = joinProblems([
    { ...session, bypassed: 2 },
    { ...session, problems: [] },
    { ...session, bypassed: 1, folder: "/home/ada/site" },
    { ...session, host: "desk" },
    { ...session, client: "gemini", host: null },
    { ...session, problems: ["Too old.", "Too short."], bypassed: 1 },
  ]);
  expect(found.map(({ where, what }) => [where, what.length])).toEqual([
    ["Codex in 2 folders on laptop, 2 sessions, 3 calls", 1],
    ["Codex in /home/ada/shop on desk", 1],
    ["Gemini CLI in /home/ada/shop", 1],
    ["Codex in /home/ada/shop on laptop, 1 call", 2],
  ]);
  expect(new Set(found.map(({ key }) => key)).size).toBe(4);
});

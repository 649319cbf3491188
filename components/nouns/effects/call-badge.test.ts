import { expect, test } from "vitest";
import { callBadge } from "./call-badge";
import { makeEffect } from "./make-effect";

type Parts = Parameters<typeof makeEffect>[0];

test.each<[badge: string, tone: string, sandboxed: boolean, effects: Parts[]]>([
  ["Read-only", "unavailable", false, [{ kind: "read", path: ".", namesOnly: true }]],
  [
    "Read-only",
    "unavailable",
    true,
    [
      { kind: "read", path: "a" },
      { kind: "query", path: "a.db" },
    ],
  ],
  [
    "Write",
    "unavailable",
    true,
    [
      { kind: "read", path: "a" },
      { kind: "write", path: "b" },
    ],
  ],
  ["Write", "unavailable", true, [{ kind: "delete", path: "dist", recursive: true, class: "rebuildable" }]],
  [
    "Runs code",
    "unavailable",
    true,
    [
      { kind: "write", path: "b" },
      { kind: "execute", where: "not_known", program: "python3" },
    ],
  ],
  ["Runs code", "ask", false, [{ kind: "execute", where: "not_known", program: "python3" }]],
  [
    "Leaves the sandbox",
    "ask",
    true,
    [
      { kind: "execute", program: "npm" },
      { kind: "connect", where: "outside", host: "a.example" },
    ],
  ],
  ["Reaches outside", "ask", false, [{ kind: "read", where: "outside", path: "../a" }]],
  [
    "Destructive",
    "deny",
    true,
    [
      { kind: "connect", where: "outside", host: "a.example" },
      { kind: "delete", path: "a" },
    ],
  ],
  ["Destructive", "deny", true, [{ kind: "write", path: ".git", irreversible: true }]],
])("%s (%s), sandboxed: %s", (word, tone, sandboxed, effects) => {
  expect(callBadge(effects.map(makeEffect), sandboxed)).toMatchObject({ word, tone });
});

test.each([[undefined], [[]]])("a decision with effects %j has no badge of its own", (effects) => {
  expect(callBadge(effects, true)).toBeNull();
});

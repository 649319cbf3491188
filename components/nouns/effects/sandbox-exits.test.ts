import { expect, test } from "vitest";
import { makeEffect } from "./make-effect";
import { type SandboxExit, sandboxExits } from "./sandbox-exits";

type Parts = Parameters<typeof makeEffect>[0];

test.each<[name: string, effects: Parts[], exits: SandboxExit[]]>([
  [
    "reads, writes and deletes inside stay in",
    [
      { kind: "read", path: "a" },
      { kind: "write", path: "b" },
      { kind: "delete", path: "c" },
    ],
    [],
  ],
  ["temporary files stay in", [{ kind: "write", where: "outside", path: "/tmp/a", class: "temporary" }], []],
  ["a server of the conversation stays in", [{ kind: "connect", host: "localhost:3000" }], []],
  [
    "code that is not inspected stays in, because the kernel confines it",
    [{ kind: "execute", where: "not_known", program: "python3" }],
    [],
  ],
  ["a path that is decided at run time stays in, because the kernel confines it", [{ kind: "read", where: "not_known", path: "$X" }], []],
  [
    "hosts are named once each",
    [
      { kind: "connect", where: "outside", host: "registry.npmjs.org" },
      { kind: "send", where: "outside", host: "api.example.com" },
      { kind: "connect", where: "outside", host: "registry.npmjs.org" },
    ],
    [{ words: "network to", targets: ["registry.npmjs.org", "api.example.com"] }],
  ],
  [
    "a host that is not known wants the network all the same",
    [{ kind: "connect", where: "not_known" }],
    [{ words: "network to", targets: ["unknown host"] }],
  ],
  [
    "a database at a host is network; one in a file outside is a read",
    [
      { kind: "query", where: "outside", host: "db.example.com:5432" },
      { kind: "query", where: "outside", path: "../orders.db" },
      { kind: "query", path: "here.db" },
    ],
    [
      { words: "network to", targets: ["db.example.com:5432"] },
      { words: "reads", targets: ["../orders.db"] },
    ],
  ],
  [
    "running outside stands first, then network, deleting, writing and reading",
    [
      { kind: "read", where: "outside", path: "../r" },
      { kind: "write", where: "outside", path: "../w" },
      { kind: "delete", where: "outside", path: "../d" },
      { kind: "connect", where: "outside", host: "a.example" },
      { kind: "elevate", where: "outside", program: "sudo" },
      { kind: "execute", where: "outside", program: "docker" },
    ],
    [
      { words: "runs", targets: ["sudo", "docker"], after: "outside the sandbox" },
      { words: "network to", targets: ["a.example"] },
      { words: "deletes", targets: ["../d"] },
      { words: "writes", targets: ["../w"] },
      { words: "reads", targets: ["../r"] },
    ],
  ],
  [
    "covered and read-only files of the folder are exits, too",
    [
      { kind: "read", path: ".env", class: "sensitive" },
      { kind: "write", path: ".git/hooks/pre-commit", class: "runs_by_itself" },
      { kind: "read", path: ".git/config", class: "runs_by_itself" },
    ],
    [
      { words: "writes", targets: [".git/hooks/pre-commit"] },
      { words: "reads", targets: [".env"] },
    ],
  ],
  [
    "an exit without a name has no target",
    [{ kind: "elevate", where: "outside" }],
    [{ words: "runs", targets: [], after: "outside the sandbox" }],
  ],
])("%s", (_name, effects, exits) => {
  expect(sandboxExits(effects.map(makeEffect))).toEqual(exits);
});

import { expect, test } from "vitest";
import type { Effect, EffectTarget } from "@/contracts/decisions/effects";
import { compileAllowedHosts } from "../hosts/allowed-hosts";
import { onlyReads, reachesAllowedHost, staysInSandbox } from "./effect-boundaries";
import { type WantedOpenings, wantedOpenings } from "./openings";

const hosts = compileAllowedHosts(["allowed.example"]);
const evidence = { argument: "/command", start: 0, end: 1 };
const effect = (kind: Effect["kind"], target: Partial<EffectTarget>, more: Partial<Effect> = {}): Effect => ({
  kind,
  target: { where: "inside", ...target },
  evidence,
  ...more,
});
const out = (path: string, more: Partial<EffectTarget> = {}): Partial<EffectTarget> => ({ where: "outside", path, ...more });
const unknown = { where: "not_known" } as const;

/** Effects with the expected answers: stays in the sandbox, only reads, and the openings it needs. */
const table: [what: string, effect: Effect, stays: boolean, reads: boolean, wants: Partial<WantedOpenings>][] = [
  ["reads inside", effect("read", { path: "a" }), true, true, {}],
  ["reads everything inside", effect("read", { path: "." }, { recursive: true }), true, true, {}],
  ["reads outside", effect("read", out("../x")), false, false, { readable: ["../x"] }],
  ["looks at names outside", effect("read", out("/srv"), { namesOnly: true }), false, false, { readable: ["/srv"] }],
  ["reads the system", effect("read", out("/usr/x", { class: "system" })), true, true, {}],
  ["reads what is not known", effect("read", unknown), true, false, {}],
  ["reads a secret", effect("read", { path: ".env", class: "sensitive" }), false, false, { uncovered: [".env"] }],
  ["sees a secret's name", effect("read", { path: ".env", class: "sensitive" }, { namesOnly: true }), true, true, {}],
  ["reads a secret outside", effect("read", out("/etc/shadow", { class: "sensitive" })), false, false, { readable: ["/etc/shadow"] }],
  ["fetches a page", effect("read", { where: "outside", host: "example.com" }), true, true, {}],
  ["fetches from a private host", effect("read", { where: "outside", host: "10.0.0.1", class: "private" }), true, false, {}],
  ["writes inside", effect("write", { path: "a" }), true, false, {}],
  ["writes to nowhere", effect("write", { path: "/dev/null" }), true, true, {}],
  ["reads random numbers", effect("read", { path: "/dev/urandom" }), true, true, {}],
  ["deletes a device", effect("delete", { path: "/dev/null" }), true, false, {}],
  ["writes outside", effect("write", out("/srv/x")), false, false, { writable: ["/srv/x"] }],
  ["writes to the system", effect("write", out("/usr/x", { class: "system" })), false, false, { writable: ["/usr/x"] }],
  ["touches the machine's /tmp", effect("write", out("/tmp/x", { class: "temporary" }), { namesOnly: true }), true, false, {}],
  ["makes a folder outside", effect("write", out("/srv/x"), { namesOnly: true }), false, false, { writable: ["/srv/x"] }],
  [
    "writes a file that runs by itself",
    effect("write", { path: ".husky/x", class: "runs_by_itself" }),
    false,
    false,
    { writable: [".husky/x"] },
  ],
  [
    "deletes a file that runs by itself",
    effect("delete", { path: ".husky/x", class: "runs_by_itself" }),
    false,
    false,
    { writable: [".husky/x"] },
  ],
  ["reads a file that runs by itself", effect("read", { path: ".husky/x", class: "runs_by_itself" }), true, true, {}],
  ["writes a secret", effect("write", { path: ".env", class: "sensitive" }), false, false, { uncovered: [".env"], writable: [".env"] }],
  ["deletes a file", effect("delete", { path: "a" }), true, false, {}],
  ["deletes a folder", effect("delete", { path: "src" }, { recursive: true }), false, false, {}],
  ["deletes many", effect("delete", { path: "*.ts" }), false, false, {}],
  ["deletes what is not known", effect("delete", unknown, { recursive: true }), false, false, {}],
  ...(["rebuildable", "made_here", "temporary"] as const).map(
    (kind) => [`deletes what is ${kind}`, effect("delete", { path: "x", class: kind }, { recursive: true }), true, false, {}] as never,
  ),
  ["loses work", effect("delete", { program: "git" }, { irreversible: true }), false, false, {}],
  ["runs a program of the folder", effect("execute", { path: "x.sh" }), true, false, {}],
  ["runs a program of the system", effect("execute", out("/usr/bin/x", { class: "system" })), true, false, {}],
  ["runs a program elsewhere", effect("execute", out("/srv/x")), false, false, { readable: ["/srv/x"] }],
  ["runs what is not known", effect("execute", unknown), true, false, {}],
  ["connects to its own server", effect("connect", { host: "localhost:3000" }), true, false, {}],
  ["connects", effect("connect", { where: "outside", host: "example.com" }), false, false, { hosts: ["example.com"] }],
  ["connects where it may", effect("connect", { where: "outside", host: "allowed.example" }), true, false, { hosts: ["allowed.example"] }],
  ["connects to any host", effect("connect", unknown), false, false, { hosts: ["*"] }],
  ["sends", effect("send", { where: "outside", host: "example.com" }), false, false, { hosts: ["example.com"] }],
  ["acts as another user", effect("elevate", { program: "sudo" }), false, false, { host: true }],
  ["schedules", effect("schedule", { program: "at" }), false, false, { host: true }],
  ["changes data", effect("query", { program: "psql" }), false, false, { host: true }],
  ["ends processes", effect("signal", { program: "kill" }), true, false, {}],
];

test.each(table)("an effect that %s", (_what, one, stays, reads, wants) => {
  expect(staysInSandbox(one, hosts)).toBe(stays);
  expect(onlyReads(one)).toBe(reads);
  expect(wantedOpenings([one])).toEqual({ hosts: [], readable: [], writable: [], uncovered: [], host: false, ...wants });
});

test("what several effects want is opened once", () => {
  const twice = table.flatMap(([, one]) => [one, one]);
  for (const list of Object.values(wantedOpenings(twice)).filter((value) => Array.isArray(value)))
    expect(list.length).toBe(new Set(list).size);
});

test("a request reaches an allowed host by its address only, with the default port of its scheme", () => {
  const send = effect("send", { where: "outside", host: "allowed.example" });
  expect(reachesAllowedHost(send, "https://allowed.example/x", hosts)).toBe(true);
  expect(reachesAllowedHost(send, "https://other.example/x", hosts)).toBe(false);
  expect(reachesAllowedHost(send, "no address", hosts)).toBe(false);
  expect(reachesAllowedHost(effect("write", { where: "outside", path: "/x" }), "https://allowed.example/x", hosts)).toBe(false);
});

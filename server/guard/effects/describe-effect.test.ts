import { expect, test } from "vitest";
import type { Effect } from "@/contracts/decisions/effects";
import { describeEffect } from "./describe-effect";

const inside = (path?: string, program?: string): Effect["target"] => ({
  where: "inside",
  ...(path === undefined ? {} : { path }),
  ...(program === undefined ? {} : { program }),
});
const unknown: Effect["target"] = { where: "not_known" };
const host: Effect["target"] = { where: "outside", host: "example.com" };

test.each<[Effect["kind"], Effect["target"], sentence: string, more?: Partial<Effect>]>([
  ["read", inside("a"), "reads a"],
  ["read", inside("src"), "reads src with everything in it", { recursive: true }],
  ["read", inside("src"), "looks at src", { namesOnly: true }],
  ["read", inside(), "reads a file"],
  ["read", unknown, "reads a path that is known only when it runs"],
  ["read", host, "fetches from example.com"],
  ["write", inside("a"), "writes a"],
  ["delete", inside("a"), "deletes a"],
  ["delete", inside("src"), "deletes src with everything in it", { recursive: true }],
  ["delete", inside(undefined, "git"), "loses work (git)", { irreversible: true }],
  ["delete", unknown, "deletes a path that is known only when it runs"],
  ["execute", inside("x.sh", "sh"), "runs sh"],
  ["execute", unknown, "runs a program that is known only then"],
  ["connect", host, "connects to example.com"],
  ["connect", unknown, "connects to a host that is known only when it runs"],
  ["connect", { ...unknown, program: "git remote x" }, "connects to the host of git's remote x"],
  ["send", { ...unknown, program: "git remote x" }, "sends to the host of git's remote x"],
  ["send", host, "sends to example.com"],
  ["elevate", inside(undefined, "sudo"), "needs rights of the machine (sudo)"],
  ["elevate", inside(), "needs rights of the machine"],
  ["signal", inside(), "ends processes"],
  ["schedule", inside(), "schedules work for later"],
  ["schedule", { ...inside(), program: "crontab" }, "schedules commands"],
  ["query", inside(undefined, "psql"), "changes data (psql)"],
  ["query", inside(), "changes data"],
])("%s of %j: this call %s", (kind, target, sentence, more = {}) => {
  expect(describeEffect({ kind, target, evidence: { argument: "/a", start: 0, end: 0 }, ...more })).toBe(sentence);
});

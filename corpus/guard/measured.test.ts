import { describe, expect, test } from "vitest";
import { lookingCommands } from "@/contracts/lib/looking-commands";
import type { Policy } from "@/server/guard/compile-policy";
import { decide } from "@/server/guard/decide";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { escapes, escapesInTwoCalls, readersRule, sixtyReadersRule } from "./escapes";
import { everydayCommands, everydayFolder } from "./everyday";
import { acceptedCommands } from "./everyday/accepted";
import { everydayCalls } from "./everyday-calls";
import { lookalikes } from "./lookalikes";

const twice = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index);

test("no everyday command, everyday call, escape or lookalike is counted twice", () => {
  expect(twice(everydayCommands.map(({ command }) => command))).toEqual([]);
  expect(twice(everydayCalls.map((call) => JSON.stringify(call)))).toEqual([]);
  expect(twice(escapes.map(({ command }) => command))).toEqual([]);
  expect(twice(escapesInTwoCalls.map((calls) => JSON.stringify(calls)))).toEqual([]);
  expect(twice(lookalikes)).toEqual([]);
});

test("about three quarters of everyday commands stay in the folder, as in real sessions", () => {
  const stays = everydayCommands.filter(({ expect }) => expect === "stays").length;
  expect(everydayCommands.length).toBeGreaterThan(1_000);
  expect(stays / everydayCommands.length).toBeGreaterThan(0.7);
  expect(stays / everydayCommands.length).toBeLessThan(0.8);
});

test("nothing that must be denied is an everyday command or a lookalike", () => {
  const denied = new Set(escapes.filter(({ expect }) => expect === "deny").map(({ command }) => command));
  expect([...everydayCommands.map(({ command }) => command), ...lookalikes].filter((command) => denied.has(command))).toEqual([]);
});

test("the rules for readers name the readers, and nothing else", () => {
  expect("cat a").toMatch(new RegExp(readersRule));
  expect("git status -s").toMatch(new RegExp(lookingCommands));
  expect("git push").not.toMatch(new RegExp(lookingCommands));
  expect("[ -f a ]").toMatch(new RegExp(sixtyReadersRule));
  expect("rm a").not.toMatch(new RegExp(sixtyReadersRule));
  expect("catalog").not.toMatch(new RegExp(sixtyReadersRule));
});

describe("without the sandbox", () => {
  const request = (command: string) => {
    const call = shellCall(command);
    return { ...call, context: { ...call.context, folder: everydayFolder, sandboxed: false } };
  };
  const verdictIn = (policy: Policy) => (command: string) => decide(policy, request(command)).verdict;
  const alone = { defaultPolicy: "require_approval" } as const;
  const ruleFor = (pattern?: string) => policyOfRules([{ tool: "shell_execute", ...(pattern ? { pattern } : {}) }], alone);
  // A file behind a link, or met by a search, is known only after a look at the folder.
  const byWords = escapes.filter(({ class: kind }) => kind !== "E: links" && kind !== "sensitive files");

  test.each([
    ["a fresh workspace", policyOfRules([])],
    ["a fresh workspace with its first rule", policyOfRules([{ tool: "shell_execute", pattern: lookingCommands }])],
    ["its first rule alone", ruleFor(lookingCommands)],
    ["a rule for ls, cat, grep and find", ruleFor(readersRule)],
    ["a rule for sixty readers", ruleFor(sixtyReadersRule)],
  ])("no escape passes in %s", (_name, policy) => {
    const passing = byWords.filter(({ command }) => verdictIn(policy)(command) === "allow");
    expect(passing.map(({ command }) => command)).toEqual([]);
  });

  test("catastrophes, metadata addresses and downloads that run are denied, whatever a rule allows", () => {
    const verdictOf = verdictIn(ruleFor());
    const missed = escapes.filter(({ command, expect: wanted }) => wanted === "deny" && verdictOf(command) !== "deny");
    expect(missed.map(({ command }) => command)).toEqual([]);
  });

  test("neither everyday commands nor lookalikes of catastrophes are denied", () => {
    const verdictOf = verdictIn(ruleFor());
    const all = [...everydayCommands.map(({ command }) => command), ...lookalikes];
    expect(all.filter((command) => verdictOf(command) === "deny")).toEqual([]);
  });
});

describe("the shares that docs/guard.md promises", () => {
  const decided = (policy: Policy, sandboxed: boolean) =>
    everydayCommands.map((entry) => {
      const call = shellCall(entry.command);
      return { ...entry, verdict: decide(policy, { ...call, context: { ...call.context, folder: everydayFolder, sandboxed } }).verdict };
    });
  const boxed = decided(policyOfRules([]), true);
  const unboxed = decided(policyOfRules([{ tool: "shell_execute", pattern: lookingCommands }]), false);
  const share = (entries: typeof boxed) => entries.filter(({ verdict }) => verdict === "allow").length / entries.length;
  const development = ({ development }: (typeof boxed)[number]) => development === true;

  test("with the sandbox, at least 70 % of everyday commands run unasked", () => {
    expect(share(boxed)).toBeGreaterThanOrEqual(0.7);
    expect(share(boxed.filter(development))).toBeGreaterThanOrEqual(0.7);
    expect(share(boxed.filter(({ expect: place }) => place === "stays"))).toBeGreaterThanOrEqual(0.95);
  });

  test("without it, at least 30 % do, under the first rule", () => {
    expect(share(unboxed)).toBeGreaterThanOrEqual(0.3);
    expect(share(unboxed.filter(development))).toBeGreaterThanOrEqual(0.3);
  });

  test("none is denied, with the sandbox or without", () => {
    expect([...boxed, ...unboxed].filter(({ verdict }) => verdict === "deny").map(({ command }) => command)).toEqual([]);
  });

  test("each that wants out or destroys asks, unless the list of accepted ones gives a reason, and that list is no longer", () => {
    const passing = boxed.filter(({ expect: place, verdict }) => place !== "stays" && verdict === "allow").map(({ command }) => command);
    expect(passing.toSorted()).toEqual([...acceptedCommands.keys()].toSorted());
    const withoutSandbox = unboxed.filter(({ expect: place, verdict }) => place !== "stays" && verdict === "allow");
    expect(withoutSandbox.filter(({ command }) => !acceptedCommands.has(command)).map(({ command }) => command)).toEqual([]);
  });
});

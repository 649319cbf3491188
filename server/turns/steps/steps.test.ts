import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

/** The steps of a turn, in the order in which it takes them. */
const steps = ["admit-turn", "plan-calls", "decide-calls", "execute-calls", "settle-calls", "gate-turn", "save-changes"];

const turns = path.resolve(import.meta.dirname, "..");
const files = readdirSync(turns, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));

/** Files of this room that a file imports, without `.ts`. */
const importsOf = new Map(
  files.map((file) => {
    const text = readFileSync(path.join(turns, file), "utf8");
    const imported = [...text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]*)"/gms)].map(([, to = ""]) =>
      path.join(path.dirname(file), to),
    );
    return [file.replace(/\.ts$/, ""), imported] as const;
  }),
);

test("the folder of the steps holds the steps and nothing else", () => {
  const inFolder = files.filter((file) => file.startsWith("steps/")).map((file) => path.basename(file, ".ts"));
  expect(inFolder.sort()).toEqual([...steps].sort());
});

test("no step reaches an earlier one, by whatever file, so that data flows forward", () => {
  const backwards = steps.flatMap((step, place) => {
    const reached = new Set<string>();
    const visit = (file: string) => {
      for (const next of importsOf.get(file) ?? []) {
        if (reached.has(next)) continue;
        reached.add(next);
        visit(next);
      }
    };
    visit(`steps/${step}`);
    return [...reached].filter((file) => steps.slice(0, place).some((earlier) => file === `steps/${earlier}`)).map((file) => [step, file]);
  });
  expect(backwards).toEqual([]);
});

test("a turn enters each step from one place: admission where it is submitted, the others where it runs", () => {
  const entered = steps
    .slice(1)
    .map((step) => [step, [...importsOf].filter(([, to]) => to.includes(`steps/${step}`)).map(([file]) => file)]);
  expect(Object.fromEntries(entered)).toEqual({
    "plan-calls": ["run-turn"],
    "decide-calls": ["run-turn"],
    "execute-calls": ["run-turn"],
    // Each call is settled and stored as it ends, while its neighbours run.
    "settle-calls": ["run-turn", "steps/execute-calls"],
    "gate-turn": ["run-turn"],
    "save-changes": ["run-turn", "steps/execute-calls"],
  });
});

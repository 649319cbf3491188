import { describe, expect, it } from "vitest";
import { effectLines } from "@/server/testing/guard/effect-lines";
import { meaningOf } from "../programs/parse-words";
import type { FixedEffect, OperandRole, ProgramSpec } from "../programs/program";
import { programs } from "../programs/programs";

const target = "folder-x/target-x";
const expected: Partial<Record<OperandRole, string>> = {
  reads: `read inside ${target}`,
  lists: `read names inside ${target}`,
  writes: `write inside ${target}`,
  changes: `write inside ${target}`,
  deletes: `delete inside ${target}`,
  executes: `execute inside ${target}`,
  file_list: "read not_known",
  code: "execute not_known",
};

/** Returns every option of the table that has an effect, as a command and the expected line. */
function optionsOf(name: string, spec: ProgramSpec): [string, string][] {
  const ofDoes = (command: string, does: readonly FixedEffect[]) =>
    does.flatMap(({ kind, target: at, note }): [string, string][] => [
      ...(kind ? [[command, `${kind} ${at?.where ?? "not_known"}`] as [string, string]] : []),
      ...(note ? [[command, `!${note}`] as [string, string]] : []),
    ]);
  // When an option is listed twice, the last meaning counts.
  const meanings = new Map(
    Object.entries(spec.valued ?? {}).flatMap(([options, value]) =>
      options
        .split(" ")
        .filter(Boolean)
        .map((option) => [option, value] as const),
    ),
  );
  const valued = [...meanings].flatMap(([option, value]): [string, string][] => {
    const { role, does } = meaningOf(value);
    const command = `${name} ${option} ${target}`;
    const line = expected[role];
    return [...(line ? [[command, line] as [string, string]] : []), ...ofDoes(command, does)];
  });
  const flags = Object.entries(spec.flags ?? {}).flatMap(([options, does]) =>
    options
      .split(" ")
      .filter(Boolean)
      .flatMap((option) => ofDoes(`${name} ${option}`, does)),
  );
  const inner = Object.entries(spec.subcommands ?? {}).flatMap(([names, sub]) =>
    names
      .split(" ")
      .filter(Boolean)
      .flatMap((verb) => optionsOf(`${name} ${verb}`, sub)),
  );
  return [...valued, ...flags, ...inner];
}

describe("an option that reads, writes, runs or loads has that effect, by each of its names", () => {
  for (const { names, spec } of programs) {
    // `command` stands in front, because `time` alone is a keyword of the shell.
    const cases = names.flatMap((name) => optionsOf(`command ${name}`, spec));
    if (cases.length === 0) continue;
    it(names.join(" "), () => {
      const missing = cases.filter(
        ([command, line]) =>
          !effectLines(command)
            .split("; ")
            .some((found) => found.startsWith(line)),
      );
      expect(missing).toEqual([]);
    });
  }
});

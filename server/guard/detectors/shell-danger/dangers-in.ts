import type { ShellReading } from "../../shell/running-commands";
import type { Danger, Family, Seen } from "./danger";
import { deletion } from "./deletion";
import { downloads } from "./downloads";
import { environment } from "./environment";
import { escapes } from "./escapes";
import { find } from "./find";
import { git } from "./git";
import { hidden } from "./hidden";
import { interpreters } from "./interpreters";
import { machine } from "./machine";
import { privileges } from "./privileges";
import { reverseShell } from "./reverse-shell";
import { textPrograms } from "./text-programs";
import { writtenPrograms } from "./written-programs";

const families: readonly Family[] = [
  downloads,
  writtenPrograms,
  reverseShell,
  deletion,
  privileges,
  machine,
  git,
  find,
  textPrograms,
  interpreters,
  escapes,
  environment,
  hidden,
];

/** Every danger of command lines, in the order in which people read them. */
export const shellDangers: readonly Danger[] = families.flatMap(({ dangers }) => dangers);

/** What was seen of each danger, by its id; the first few of each. */
export type SeenDangers = ReadonlyMap<string, readonly Seen[]>;

const maxOfEach = 5;
const known = new WeakMap<ShellReading, SeenDangers>();

/** What is dangerous in a command line. Looked for once, whoever asks. */
export function dangersIn(reading: ShellReading): SeenDangers {
  const before = known.get(reading);
  if (before) return before;
  const found = new Map<string, Seen[]>();
  const note = (sightings: readonly Seen[]) => {
    for (const sighting of sightings) {
      const same = found.get(sighting.danger);
      if (!same) found.set(sighting.danger, [sighting]);
      else if (same.length < maxOfEach) same.push(sighting);
    }
  };
  for (const script of reading.running) {
    for (const command of script.commands) {
      for (const { ofCommand, ofEachCommand } of families) {
        const check = ofCommand?.get(command.name);
        if (check) note(check(command, script));
        if (ofEachCommand) note(ofEachCommand(command, script));
      }
    }
    for (const { ofScript } of families) if (ofScript) note(ofScript(script, reading));
  }
  known.set(reading, found);
  return found;
}

import type { CallOnTrial } from "../../call-on-trial";
import { excerpt } from "../../excerpt";
import { mayRunPrograms } from "../../shell/declared-language";
import type { Detector, Sighting } from "../detector";
import type { Danger } from "./danger";
import { dangersIn, shellDangers } from "./dangers-in";
import { isPowerShell, sourceCodeDetectors } from "./source-code";

const powerShell = "shell.powershell";
const wholePowerShell: Sighting = { message: "This is a PowerShell script, which is not read here.", text: "" };

/** Detectors of what is dangerous in command lines, each of which an admin may make stricter or milder. */
export const shellDangerDetectors: readonly Detector[] = [...shellDangers.map(detectorOf), ...sourceCodeDetectors];

function detectorOf({ escapes: _, ...danger }: Danger): Detector {
  return {
    ...danger,
    // PowerShell is not read at all, so that nothing about it can be promised.
    relaxable: danger.id !== powerShell,
    appliesTo: mayRunPrograms,
    find: (call) => {
      const sightings = sightingsOf(danger.id, call.scripts);
      return danger.id === powerShell && isPowerShell(call) ? [...sightings, wholePowerShell] : sightings;
    },
  };
}

const nothing: readonly Sighting[] = [];

function sightingsOf(id: string, scripts: CallOnTrial["scripts"]): readonly Sighting[] {
  let found: Sighting[] | null = null;
  for (const reading of scripts) {
    const seen = dangersIn(reading).get(id);
    if (!seen) continue;
    found ??= [];
    found.push(...seen.map(({ does, text }) => ({ message: `This command ${excerpt(does)}.`, text })));
  }
  return found ?? nothing;
}

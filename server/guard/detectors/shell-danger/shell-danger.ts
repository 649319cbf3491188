import type { CallOnTrial } from "../../call-on-trial";
import { excerpt } from "../../excerpt";
import { mayRunPrograms } from "../../shell/declared-language";
import type { Detector, Sighting } from "../detector";
import type { Danger } from "./danger";
import { dangersIn, shellDangers } from "./dangers-in";
import { isPowerShell, sourceCodeDetectors } from "./source-code";

const powerShell = "shell.powershell";
/** What is not read, or not followed, so that nothing about it can be promised: nobody may make these milder. */
const firm = new Set([powerShell, "shell.not_followed"]);
const wholePowerShell: Sighting = { message: "This is a PowerShell script, which is not read here.", text: "" };

/** Detectors of what is dangerous in command lines, each of which an admin may make stricter or milder. */
export const shellDangerDetectors: readonly Detector[] = [...shellDangers.map(detectorOf), ...sourceCodeDetectors];

function detectorOf({ escapes: _, ...danger }: Danger): Detector {
  return {
    ...danger,
    relaxable: !firm.has(danger.id),
    appliesTo: mayRunPrograms,
    mayFind,
    find: (call) => {
      const sightings = sightingsOf(danger.id, call.scripts);
      return danger.id === powerShell && isPowerShell(call) ? [...sightings, wholePowerShell] : sightings;
    },
  };
}

/** No detector has anything to say about a call without commands, unless it runs PowerShell. */
function mayFind(call: CallOnTrial): boolean {
  return call.scripts.some((reading) => dangersIn(reading).size > 0) || isPowerShell(call);
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

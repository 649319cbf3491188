import type { CallOnTrial } from "../../call-on-trial";
import { excerpt } from "../../excerpt";
import type { Detector, Sighting } from "../detector";
import type { Danger } from "./danger";
import { dangersIn, shellDangers } from "./dangers-in";

/** Detectors of what is dangerous in command lines, each of which an admin may make stricter or milder. */
export const shellDangerDetectors: readonly Detector[] = shellDangers.map(detectorOf);

function detectorOf({ escapes: _, ...danger }: Danger): Detector {
  return {
    ...danger,
    relaxable: true,
    appliesTo: () => true,
    find: ({ scripts }) => sightingsOf(danger.id, scripts),
  };
}

function sightingsOf(id: string, scripts: CallOnTrial["scripts"]): Sighting[] {
  return scripts.flatMap((reading) =>
    (dangersIn(reading).get(id) ?? []).map(({ does, text }) => ({ message: `This command ${excerpt(does)}.`, text })),
  );
}

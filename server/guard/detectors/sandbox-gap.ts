import { runsCommands } from "../call/tool-facts";
import { type Detector, noDetectorMatches } from "./detector";

/** The id of the detector, by which an approval lets a command run in spite of the gap. */
export const gapDetector = "sandbox.gap";

/** Finds commands that the sandbox would run in a folder of which it could not inspect every file. */
export const sandboxGapDetector: Detector = {
  id: gapDetector,
  title: "Files that the sandbox may not protect",
  severity: "high",
  verdict: "require_approval",
  explanation:
    "The sandbox covers sensitive files and keeps files that run by themselves from changes. In this folder it may have missed some, so the command could read or change them.",
  fix: "Make the folder smaller, or remove the link that is named.",
  relaxable: true,
  appliesTo: runsCommands,
  find: ({ context }) => {
    const gap = context.sandboxed ? context.files?.gap : null;
    return gap ? [{ message: gap, text: "" }] : noDetectorMatches;
  },
};

/** Finds commands for which the sandbox cannot open a path, so that an approval would be in vain. */
export const noOpeningDetector: Detector = {
  id: "sandbox.no_opening",
  title: "Paths that the sandbox cannot show",
  severity: "medium",
  verdict: "deny",
  explanation: "The command would run without the path although a person allowed it, because the sandbox cannot be built with it.",
  fix: "Use another path, or leave it out.",
  relaxable: true,
  appliesTo: runsCommands,
  find: ({ context }) => {
    const why = context.sandboxed ? context.files?.unopenable : null;
    return why ? [{ message: why, text: "" }] : noDetectorMatches;
  },
};

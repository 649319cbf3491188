import { credentialDetectors, privateKey } from "./credentials";
import type { Detector } from "./detector";
import { effectDetectors } from "./effect-detectors";
import { mcpInjection, mcpPath, mcpPrototype } from "./mcp-arguments";
import { networkDetectors } from "./network";
import { noOpeningDetector, sandboxGapDetector } from "./sandbox-gap";
import { sensitiveVerb } from "./sensitive-verb";
import { shellNoteDetectors } from "./shell-notes";
import { sourceCodeDetectors } from "./source-code";
import { sqlDetectors } from "./sql-danger";
import { textHidden } from "./text-hidden";

/** Every detector, in the order in which they run and are listed. */
export const allDetectors: readonly Detector[] = [
  ...effectDetectors,
  sandboxGapDetector,
  noOpeningDetector,
  privateKey,
  ...credentialDetectors,
  ...sqlDetectors,
  ...networkDetectors,
  mcpInjection,
  mcpPath,
  mcpPrototype,
  sensitiveVerb,
  textHidden,
  ...shellNoteDetectors,
  ...sourceCodeDetectors,
];

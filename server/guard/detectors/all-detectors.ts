import { credentialDetectors, privateKey } from "./credentials";
import type { Detector } from "./detector";
import { fileSensitive } from "./file-sensitive";
import { mcpInjection, mcpPath, mcpPrototype } from "./mcp-arguments";
import { networkDetectors } from "./network";
import { shellDangerDetectors } from "./shell-danger/shell-danger";
import { sqlDetectors } from "./sql-danger";
import { textHidden } from "./text-hidden";
import { workspaceEscape } from "./workspace-escape";

/** Every detector, in the order in which they run and are listed. Each family has files of its own. */
export const allDetectors: readonly Detector[] = [
  workspaceEscape,
  fileSensitive,
  privateKey,
  ...credentialDetectors,
  ...sqlDetectors,
  ...networkDetectors,
  mcpInjection,
  mcpPath,
  mcpPrototype,
  textHidden,
  ...shellDangerDetectors,
];

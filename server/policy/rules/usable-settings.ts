import "server-only";
import type { DetectorSetting, DetectorSettings, GuardConfigPatch } from "@/contracts/guard/guard";
import type { Db } from "@/db/client";
import { allDetectors } from "@/server/guard/detectors/all-detectors";
import type { Detector } from "@/server/guard/detectors/detector";
import { toolPatternMistake } from "@/server/guard/matching/tool-pattern";
import { strictness } from "@/server/guard/strictness";
import { AppError } from "@/server/platform/errors";
import { canonicalToolName } from "./assert-usable-rule";

/**
 * Checks settings and returns them as they are stored: with tool names instead of aliases, without duplicates, and without
 * detectors that keep their own verdict.
 * @throws AppError `invalid` that names the field and says what to write instead
 */
export async function usableSettings(tx: Db, workspaceId: string, patch: GuardConfigPatch): Promise<GuardConfigPatch> {
  const { detectors, deniedTools, sensitivePaths, allowedHosts, escalatePatterns } = patch;
  return {
    ...patch,
    ...(detectors === undefined ? {} : { detectors: usableDetectors(detectors) }),
    ...(deniedTools === undefined ? {} : { deniedTools: await usableTools(tx, workspaceId, deniedTools) }),
    ...(sensitivePaths === undefined ? {} : { sensitivePaths: [...new Set(sensitivePaths)] }),
    ...(allowedHosts === undefined ? {} : { allowedHosts: [...new Set(allowedHosts)] }),
    ...(escalatePatterns === undefined ? {} : { escalatePatterns: [...new Set(escalatePatterns)] }),
  };
}

function usableDetectors(settings: DetectorSettings): DetectorSettings {
  const usable = Object.entries(settings).map(([id, setting]) => {
    const detector = allDetectors.find((known) => known.id === id);
    if (!detector) throw invalid(`detectors.${id}`, `There is no detector ${id}. GET /api/v1/guard/detectors lists them`);
    return [id, usableSetting(detector, setting)] as const;
  });
  return Object.fromEntries(usable.filter(([, setting]) => !setting.enabled || setting.verdict !== undefined));
}

/** Returns a detector's setting as it is stored. @throws AppError `invalid` for relaxing a detector that is not relaxable */
export function usableSetting(detector: Detector, { enabled, verdict }: DetectorSetting): DetectorSetting {
  const milder = verdict !== undefined && strictness[verdict] < strictness[detector.verdict];
  if (!detector.relaxable && (!enabled || milder)) {
    throw invalid(`detectors.${detector.id}`, `The detector ${detector.id} may be made stricter, but neither milder nor switched off`);
  }
  // A confined detector only informs inside the sandbox. An admin who sets its own verdict makes it stricter there, so
  // that setting is kept.
  const isOwn = verdict === detector.verdict && !detector.confinedBySandbox;
  return verdict === undefined || isOwn ? { enabled } : { enabled, verdict };
}

async function usableTools(tx: Db, workspaceId: string, patterns: readonly string[]): Promise<string[]> {
  const names = new Set<string>();
  for (const [index, pattern] of patterns.entries()) {
    const mistake = toolPatternMistake(pattern);
    if (mistake) throw invalid(`deniedTools.${index}`, `The tool pattern ${pattern} cannot be used: ${mistake}`);
    names.add(await canonicalToolName(tx, workspaceId, pattern));
  }
  return [...names];
}

function invalid(path: string, message: string): AppError {
  return new AppError("invalid", `${message}.`, { errors: [{ path, message }] });
}

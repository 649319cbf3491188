import "server-only";
import type { DetectorSetting, DetectorSettings, GuardDetector } from "@/contracts/guard";
import type { Holder } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { allDetectors } from "../detectors/all-detectors";
import type { Detector } from "../detectors/detector";
import { getConfig, updateConfig } from "./guard-config";

type DetectorList = { items: GuardDetector[]; nextCursor: null; policyVersion: number };

/** Every detector, in the order in which they look at a call, with what it does in this workspace. */
export async function listDetectors(actor: Holder<"guard:read">): Promise<DetectorList> {
  const { detectors, policyVersion } = await getConfig(actor);
  return { items: allDetectors.map((detector) => present(detector, detectors)), nextCursor: null, policyVersion };
}

/**
 * Relaxes a detector, makes it stricter, switches it off, or brings back what it comes with.
 * @param policyVersion from If-Match
 * @throws AppError `not_found`, `stale_version`, `invalid` for one that may not be relaxed
 */
export async function updateDetector(
  actor: Holder<"guard:write">,
  id: string,
  setting: DetectorSetting,
  policyVersion: number | null,
): Promise<{ detector: GuardDetector; policyVersion: number }> {
  const detector = allDetectors.find((known) => known.id === id);
  if (!detector) throw new AppError("not_found", `There is no detector ${id}. GET /api/v1/guard/detectors lists them.`);
  const saved = await updateConfig(actor, ({ detectors }) => ({ detectors: { ...detectors, [id]: setting } }), policyVersion);
  return { detector: present(detector, saved.detectors), policyVersion: saved.policyVersion };
}

function present({ appliesTo, find, verdict: ownVerdict, ...detector }: Detector, settings: DetectorSettings): GuardDetector {
  const { enabled = true, verdict = ownVerdict } = settings[detector.id] ?? {};
  return { ...detector, ownVerdict, enabled, verdict };
}

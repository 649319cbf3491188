import "server-only";
import type { DetectorChange, DetectorSettings, GuardDetector } from "@/contracts/guard/guard";
import type { Authorized } from "@/server/auth/actor";
import { allDetectors } from "@/server/guard/detectors/all-detectors";
import type { Detector } from "@/server/guard/detectors/detector";
import { hardFloor, insteadOfFloor } from "@/server/guard/floor/hard-floor";
import { AppError } from "@/server/platform/errors";
import { getConfig, updateConfig } from "./guard-config";

const floor: readonly GuardDetector[] = Object.entries(hardFloor).map(([name, { title, explanation }]) => ({
  id: `floor.${name}`,
  title,
  severity: "critical",
  explanation,
  fix: insteadOfFloor,
  relaxable: false,
  floor: true,
  ownVerdict: "deny",
  enabled: true,
  verdict: "deny",
}));

type DetectorList = { items: GuardDetector[]; nextCursor: null; policyVersion: number };

/** Lists the hard floor, then the detectors in the order in which they run, with their settings in this workspace. */
export async function listDetectors(actor: Authorized<"guard:read">): Promise<DetectorList> {
  const { detectors, policyVersion } = await getConfig(actor);
  return { items: [...floor, ...allDetectors.map((detector) => present(detector, detectors))], nextCursor: null, policyVersion };
}

/**
 * Relaxes a detector, makes it stricter, switches it off, or restores its own verdict.
 * @param policyVersion from If-Match
 * @throws AppError `not_found`, `stale_version`, `invalid` for a detector of the hard floor or one that may not be relaxed
 */
export async function updateDetector(
  actor: Authorized<"guard:write">,
  id: string,
  { verdict, ...rest }: DetectorChange,
  policyVersion: number | null,
): Promise<{ detector: GuardDetector; policyVersion: number }> {
  if (floor.some((known) => known.id === id)) {
    throw new AppError("invalid", `${id} belongs to the hard floor, which is denied whatever is set. Nothing about it can be changed.`);
  }
  const detector = allDetectors.find((known) => known.id === id);
  if (!detector) throw new AppError("not_found", `There is no detector ${id}. GET /api/v1/guard/detectors lists them.`);
  const setting = verdict === null || verdict === undefined ? rest : { ...rest, verdict };
  const saved = await updateConfig(actor, ({ detectors }) => ({ detectors: { ...detectors, [id]: setting } }), policyVersion);
  return { detector: present(detector, saved.detectors), policyVersion: saved.policyVersion };
}

function present(
  { appliesTo, mayFind, find, isFutile, verdict: ownVerdict, ...detector }: Detector,
  settings: DetectorSettings,
): GuardDetector {
  const { enabled = true, verdict = ownVerdict } = settings[detector.id] ?? {};
  return { ...detector, floor: false, ownVerdict, enabled, verdict };
}

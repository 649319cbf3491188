import type { Effect } from "@/contracts/decisions/effects";
import type { ProgramPlace } from "@/contracts/tools/shell";
import { leavesFolder, needsMachine } from "./effect-boundaries";

/** A sandbox without any opening. */
export const closedSandbox: ProgramPlace = { outside: false, hosts: [], paths: [] };

/**
 * Returns whether programs in a running sandbox can have an effect at all. A person is not asked about an effect that
 * fails anyway.
 */
export function isReachable(effect: Effect, place: ProgramPlace | undefined): boolean {
  if (!place || place.outside) return true;
  if (needsMachine(effect)) return false;
  if ((effect.kind === "connect" || effect.kind === "send") && effect.target.where !== "inside") return place.hosts.length > 0;
  return place.paths.length > 0 || !leavesFolder(effect);
}

/** Returns whether programs in a running sandbox cannot reach the machine, or no host of the network. */
export function isOutOfReach(reached: "machine" | "network", place: ProgramPlace | undefined): boolean {
  if (!place || place.outside) return false;
  return reached === "machine" || place.hosts.length === 0;
}

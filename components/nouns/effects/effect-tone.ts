import type { Tone } from "@/components/kit/ui/tone";
import type { Effect } from "@/contracts/decisions/effects";

/** Returns the seriousness of an effect: red destroys or takes over, amber reaches beyond the call's own area, grey stays inside. */
export function effectTone(effect: Effect): Extract<Tone, "deny" | "ask" | "unavailable"> {
  const { kind, target } = effect;
  if (kind === "elevate" || effect.irreversible || target.class === "metadata") return "deny";
  if (kind === "delete" && !isReplaceable(effect) && (effect.recursive || target.where !== "inside")) return "deny";
  if ((kind === "write" || kind === "delete") && (target.class === "device" || target.class === "system")) return "deny";
  if (target.where === "not_known" || leavesFolder(effect)) return "ask";
  if (kind === "send" || kind === "signal" || kind === "schedule") return "ask";
  if (kind === "delete" && !isReplaceable(effect)) return "ask";
  return target.class === "sensitive" || target.class === "runs_by_itself" || target.class === "private" ? "ask" : "unavailable";
}

/** Returns whether a deleted target is temporary, can be rebuilt by a command, or was made by the conversation itself. */
export function isReplaceable({ target, irreversible }: Effect): boolean {
  return !irreversible && (target.class === "rebuildable" || target.class === "made_here" || target.class === "temporary");
}

function leavesFolder({ target }: Effect): boolean {
  return target.where === "outside" && target.class !== "temporary";
}

export const toneRank = { deny: 0, ask: 1, unavailable: 2 } as const;

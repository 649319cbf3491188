import type { Effect } from "@/contracts/decisions/effects";

/** Sorts the most serious effect first, because cards and sentences begin with it. */
export function bySeriousness(effects: Effect[]): readonly Effect[] {
  return effects.length < 2 ? effects : effects.sort((a, b) => seriousness(b) - seriousness(a));
}

const kindWeights: Record<Effect["kind"], number> = {
  elevate: 9,
  schedule: 8,
  send: 7,
  connect: 6,
  delete: 5,
  query: 5,
  write: 3,
  signal: 2,
  execute: 2,
  read: 0,
};
const placeWeights: Record<Effect["target"]["where"], number> = { outside: 10, not_known: 2, inside: 0 };

function seriousness({ kind, target, recursive, irreversible }: Effect): number {
  const isGuarded =
    target.class !== undefined && target.class !== "system" && target.class !== "rebuildable" && target.class !== "made_here";
  const ofPlace = target.class === "system" && kind === "read" ? 0 : placeWeights[target.where];
  return kindWeights[kind] + ofPlace + (irreversible ? 12 : 0) + (isGuarded ? 8 : 0) + (recursive && kind === "delete" ? 6 : 0);
}

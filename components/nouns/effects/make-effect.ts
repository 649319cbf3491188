import type { Effect } from "@/contracts/decisions/effects";

type EffectParts = Omit<Effect, "evidence" | "target"> & { evidence?: Effect["evidence"] } & Partial<Effect["target"]>;

/** Makes an effect for tests: inside the folder, with the first two characters of a command as evidence. */
export function makeEffect({ kind, evidence, recursive, irreversible, namesOnly, where = "inside", ...target }: EffectParts): Effect {
  return {
    kind,
    target: { where, ...target },
    ...(recursive ? { recursive } : {}),
    ...(irreversible ? { irreversible } : {}),
    ...(namesOnly ? { namesOnly } : {}),
    evidence: evidence ?? { argument: "/command", start: 0, end: 2 },
  };
}

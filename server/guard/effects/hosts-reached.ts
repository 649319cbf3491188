import type { Effect } from "@/contracts/decisions/effects";

/** Stands for a host that no word of the call names. */
export const anyHost = "*";

/** Returns the hosts that effects reach outside of the sandbox, each once; `*` for one that no word names. */
export function hostsReached(effects: readonly Pick<Effect, "kind" | "target">[]): string[] {
  const reaching = effects.filter(({ kind, target }) => (kind === "connect" || kind === "send") && target.where !== "inside");
  return [...new Set(reaching.map(({ target }) => target.host ?? anyHost))];
}

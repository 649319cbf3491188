import type { ToolEffect } from "@/contracts/tools/tools";

const verbs: Record<ToolEffect, [one: string, many: string]> = {
  read: ["reads", "read"],
  write: ["writes", "write"],
  destroy: ["destroys", "destroy"],
};

/** Counts effects in words: `14 read, 3 write, 1 destroys`. */
export function countEffects(effects: readonly ToolEffect[]): string {
  return (["read", "write", "destroy"] as const)
    .map((effect) => [effects.filter((one) => one === effect).length, verbs[effect]] as const)
    .filter(([count]) => count > 0)
    .map(([count, [one, many]]) => `${count} ${count === 1 ? one : many}`)
    .join(", ");
}

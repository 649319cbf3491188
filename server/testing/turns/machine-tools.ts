import { z } from "zod";
import { type AnyTool, defineTool } from "@/server/tools/define-tool";
import type { Recovery } from "@/server/tools/tool-traits";

/** Tools that the state machine distinguishes. The last name belongs to no tool. */
export const machineTools = ["look", "mark", "change", "ask", "fall", "linger", "missing"] as const;
export type MachineTool = (typeof machineTools)[number];

/** Returns true when a call may be repeated, and may start before it is recorded. */
export const isHarmlessTool = (name: string): boolean => name === "look" || name === "mark" || name === "linger";

/** Records the tools' effects, and holds their calls. */
export class Bench {
  /** Number of effects of each call, by label. */
  readonly effects = new Map<string, number>();
  #held: (() => void)[] = [];
  #isOpen = false;

  /** Releases one of the held calls, chosen by `place` modulo their number. */
  release(place: number): void {
    this.#held.splice(place % Math.max(1, this.#held.length), 1)[0]?.();
  }

  /** Releases all held calls, and holds no later ones. */
  open(): void {
    this.#isOpen = true;
    for (const go of this.#held.splice(0)) go();
  }

  async work(label: string, hold: "no" | "before" | "after"): Promise<string> {
    if (hold === "before") await this.#hold();
    this.effects.set(label, (this.effects.get(label) ?? 0) + 1);
    if (hold === "after") await this.#hold();
    return `did ${label}`;
  }

  #hold(): Promise<void> {
    return this.#isOpen ? Promise.resolve() : new Promise((resolve) => this.#held.push(resolve));
  }
}

const input = z.object({ label: z.string(), hold: z.enum(["no", "before", "after"]) });

/** Creates tools that record their effects at the current bench. A rule allows the writing tools except `ask`, which needs a person. */
export function toolsAt(bench: () => Bench): AnyTool[] {
  const tool = (name: MachineTool, effect: "read" | "write", more: { recovery?: Recovery; timeoutMs?: number } = {}) =>
    defineTool({
      name,
      title: name,
      description: name,
      family: "machine",
      tier: "core",
      effect,
      needs: [],
      ...more,
      input,
      execute: async ({ label, hold }) => {
        const done = await bench().work(label, hold);
        if (name === "fall") throw new Error("it fell");
        return name === "linger" ? new Promise<string>(() => {}) : done;
      },
    });
  return [
    tool("look", "read"),
    tool("mark", "write", { recovery: { idempotent: true } }),
    tool("change", "write"),
    tool("ask", "write"),
    tool("fall", "write"),
    tool("linger", "read", { timeoutMs: 30 }),
  ];
}

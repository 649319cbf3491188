import { z } from "zod";
import { type AnyTool, defineTool } from "@/server/tools/define-tool";

/** Kinds of calls that the state machine has to tell apart. The last one is no tool at all. */
export const machineTools = ["look", "mark", "change", "ask", "fall", "linger", "missing"] as const;
export type MachineTool = (typeof machineTools)[number];

/** Whether a call may be repeated, and may start before it is on record. */
export const isHarmlessTool = (name: string): boolean => name === "look" || name === "mark" || name === "linger";

/** What the tools did, and where they are held. */
export class Bench {
  /** How often each call has had its effect, by label. */
  readonly effects = new Map<string, number>();
  #held: (() => void)[] = [];
  #isOpen = false;

  /** Lets the call at this place of those that are held go on; any place will do. */
  release(place: number): void {
    this.#held.splice(place % Math.max(1, this.#held.length), 1)[0]?.();
  }

  /** Holds nobody any more. */
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

/** Tools that note what they do at the bench of the moment. `ask` needs a person, the other writes a rule that lets them. */
export function toolsAt(bench: () => Bench): AnyTool[] {
  const tool = (name: MachineTool, effect: "read" | "write", more: { idempotent?: boolean; timeoutMs?: number } = {}) =>
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
    tool("mark", "write", { idempotent: true }),
    tool("change", "write"),
    tool("ask", "write"),
    tool("fall", "write"),
    tool("linger", "read", { timeoutMs: 30 }),
  ];
}

import "server-only";
import { env } from "@/server/platform/env";
import { startEngine } from "./engine";
import type { FamilyWork } from "./family-work";
import { handledQueues } from "./handlers";
import { startWorkers } from "./start-workers";

export type DurableWork = {
  /** Starts the workers unless the role is `web`. Returns a function that stops the workers; queueing still works afterwards. */
  startWorkers: () => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
};

/** Starts the engine of durable work. Every role can queue work from then on. */
export async function startDurableWork(families: FamilyWork): Promise<DurableWork> {
  const handlers = handledQueues(families);
  const works = env().role !== "web";
  const { boss, stop } = await startEngine(
    handlers.map(({ queue }) => queue),
    { works },
  );
  return { startWorkers: async () => (works ? startWorkers(boss, handlers) : async () => {}), stop };
}

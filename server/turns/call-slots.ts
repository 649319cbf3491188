import { processWide } from "@/server/platform/process-wide";

/** Calls that this replica runs at once; each may be a process or a connection. */
const slotCount = 256;

type Waiting = { start: () => void };

export type CallSlots = {
  /**
   * Waits for a slot, until the signal is aborted: who need not wait any more gets one that counts for nothing.
   * @returns a function that gives it back
   */
  take(workspaceId: string, signal?: AbortSignal): Promise<() => void>;
};

/**
 * Slots for running calls. When all are taken, workspaces take turns, each with its oldest waiting call, so that one that
 * sends a thousand calls delays another's single one by one call, not by a thousand.
 */
export function makeCallSlots(count: number): CallSlots {
  let free = count;
  /** Waiting calls by workspace; the workspace whose turn is next comes first. */
  const waiting = new Map<string, Waiting[]>();

  const giveBack = () => {
    const next = waiting.entries().next();
    if (next.done) {
      free += 1;
      return;
    }
    const [workspaceId, queue] = next.value;
    const first = queue.shift();
    waiting.delete(workspaceId);
    if (queue.length > 0) waiting.set(workspaceId, queue);
    first?.start();
  };

  const slot = () => {
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      giveBack();
    };
  };

  return {
    take(workspaceId, signal) {
      if (free > 0) {
        free -= 1;
        return Promise.resolve(slot());
      }
      return new Promise((resolve) => {
        const queue = waiting.get(workspaceId) ?? [];
        const entry = { start: () => resolve(slot()) };
        queue.push(entry);
        waiting.set(workspaceId, queue);
        signal?.addEventListener("abort", () => {
          const place = queue.indexOf(entry);
          if (place < 0) return;
          queue.splice(place, 1);
          if (queue.length === 0) waiting.delete(workspaceId);
          resolve(() => {});
        });
      });
    },
  };
}

/** The slots of this process. */
export const callSlots = (): CallSlots => processWide("callSlots", () => makeCallSlots(slotCount));

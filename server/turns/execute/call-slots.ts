import { processWide } from "@/server/platform/process-wide";

/** Number of calls that this replica runs at once; each may be a process or a connection. */
const slotCount = 256;

type Waiting = { start: () => void };

export type CallSlots = {
  /** Whether a call of the workspace would get a slot at once. */
  hasRoom(workspaceId: string): boolean;
  /**
   * Waits for a slot. When the signal aborts the wait, no slot is taken and the returned function does nothing.
   * @returns a function that gives the slot back
   */
  take(workspaceId: string, signal?: AbortSignal): Promise<() => void>;
};

/** Share of the slots that one workspace may hold, because calls may hold slots for an hour while other workspaces go on. */
const maxShare = 0.75;

/**
 * Creates slots for running calls. When all are taken, workspaces take turns, each with its oldest waiting call, so a
 * workspace with a thousand calls delays the single call of another by one call. Some slots always remain for other
 * workspaces.
 */
export function makeCallSlots(count: number): CallSlots {
  const maxOfOne = Math.ceil(count * maxShare);
  let free = count;
  const held = new Map<string, number>();
  /** Waiting calls by workspace; the workspace whose turn is next comes first. */
  const waiting = new Map<string, Waiting[]>();

  const heldBy = (workspaceId: string) => held.get(workspaceId) ?? 0;
  const hasRoom = (workspaceId: string) => free > 0 && heldBy(workspaceId) < maxOfOne;

  const startNext = () => {
    for (const [workspaceId, queue] of waiting) {
      if (!hasRoom(workspaceId)) continue;
      const first = queue.shift();
      waiting.delete(workspaceId);
      if (queue.length > 0) waiting.set(workspaceId, queue);
      first?.start();
      return;
    }
  };

  const slotOf = (workspaceId: string) => {
    free -= 1;
    held.set(workspaceId, heldBy(workspaceId) + 1);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      free += 1;
      const left = heldBy(workspaceId) - 1;
      if (left > 0) held.set(workspaceId, left);
      else held.delete(workspaceId);
      startNext();
    };
  };

  return {
    hasRoom,
    take(workspaceId, signal) {
      if (hasRoom(workspaceId)) return Promise.resolve(slotOf(workspaceId));
      return new Promise((resolve) => {
        const queue = waiting.get(workspaceId) ?? [];
        const entry = { start: () => resolve(slotOf(workspaceId)) };
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

/** Returns a function that waits without a call's slot, and then takes a slot again unless the call is over. */
export function withoutSlot(workspaceId: string, slot: { giveBack: () => void }) {
  return async <T>(wait: () => Promise<T>, over: AbortSignal): Promise<T> => {
    slot.giveBack();
    try {
      return await wait();
    } finally {
      if (!over.aborted) slot.giveBack = await callSlots().take(workspaceId, over);
    }
  };
}

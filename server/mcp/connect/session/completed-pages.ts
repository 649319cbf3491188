import { EventEmitter, once } from "node:events";
import type { Client } from "@modelcontextprotocol/client";
import { LRUCache } from "lru-cache";

const maxKept = 200;

/** The pages of which a server told that a person has finished there, by the ids of its questions. */
export class CompletedPages {
  private readonly ids = new LRUCache<string, true>({ max: maxKept });
  private readonly told = new EventEmitter().setMaxListeners(0);

  attach(client: Client): void {
    client.setNotificationHandler("notifications/elicitation/complete", ({ params: { elicitationId } }) => {
      this.ids.set(elicitationId, true);
      this.told.emit("completed");
    });
  }

  /** Waits until all pages are completed. @returns false when the time is up before */
  async wait(ids: readonly string[], signal: AbortSignal, milliseconds: number): Promise<boolean> {
    const limit = AbortSignal.timeout(milliseconds);
    while (!ids.every((id) => this.ids.has(id))) {
      const isTold = await once(this.told, "completed", { signal: AbortSignal.any([signal, limit]) }).then(
        () => true,
        () => false,
      );
      signal.throwIfAborted();
      if (!isTold) return false;
    }
    return true;
  }
}

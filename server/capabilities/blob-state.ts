import "server-only";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { blobs } from "./blobs";

/** A remote store is not asked more often than this. */
const freshMs = 30_000;

type Look = { at: number; state: string; running: Promise<void> | null };
const look = () => processWide<Look>("blobState", () => ({ at: 0, state: "not looked at yet", running: null }));

/**
 * What the store of artifacts said at the last look: "ok", or a sentence for the operator. A look that takes long is not
 * waited for; the next question hears what came of it.
 */
export async function blobState(): Promise<string> {
  const last = look();
  if (!last.running && Date.now() - last.at > freshMs) {
    last.running = blobs()
      .check()
      .then((state) => {
        if (state !== "ok" && state !== last.state) log().warn({ state }, "the store of artifacts cannot be used");
        last.state = state;
        last.at = Date.now();
      })
      .finally(() => {
        last.running = null;
      });
  }
  if (last.at === 0) await Promise.race([last.running, shortly()]);
  return last.state;
}

const shortly = () => new Promise<void>((resolve) => setTimeout(resolve, 200).unref());

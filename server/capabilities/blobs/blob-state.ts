import "server-only";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { blobs } from "./blobs";

/** The least time between two checks of the blob store. */
const freshMs = 30_000;

type Look = { at: number; state: string; running: Promise<void> | null };
const look = () => processWide<Look>("blobState", () => ({ at: 0, state: "not looked at yet", running: null }));

/**
 * Returns the state of the blob store at its last check: "ok", or a sentence for the operator. The function does not wait
 * for a slow check (only 200 ms for the very first); a later caller gets its result.
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

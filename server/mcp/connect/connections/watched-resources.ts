import { log } from "@/server/platform/log";
import { explainFailure } from "../session/explain-failure";
import type { Session } from "../session/session";

type Watch = { count: number; stop: (() => void) | null };

/** The resources of one server whose changes somebody here wants to hear of, across its sessions. */
export class WatchedResources {
  private readonly watched = new Map<string, Watch>();

  constructor(private readonly session: () => Session | null) {}

  /** Watches a resource until the returned function is called. */
  watch(uri: string): () => void {
    const known = this.watched.get(uri);
    const watch = known ?? { count: 0, stop: null };
    watch.count += 1;
    this.watched.set(uri, watch);
    if (!known) void this.subscribe(this.session(), uri, watch);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      watch.count -= 1;
      if (watch.count > 0) return;
      this.watched.delete(uri);
      watch.stop?.();
    };
  }

  /** Subscribes again in a new session, because the server has forgotten the earlier one. */
  resume(session: Session): void {
    for (const [uri, watch] of this.watched) void this.subscribe(session, uri, watch);
  }

  private async subscribe(session: Session | null, uri: string, watch: Watch): Promise<void> {
    try {
      const stop = await session?.subscribe(uri);
      if (!stop) return;
      if (watch.count > 0) watch.stop = stop;
      else stop();
    } catch (error) {
      log().debug({ uri, reason: explainFailure(error) }, "a resource of an MCP server could not be watched");
    }
  }
}

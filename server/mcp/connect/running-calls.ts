import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";

/** Answers a server's question about one call. */
export type Elicit = (params: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>;

/** A call that waits for its answer. */
export type RunningCall = { conversationId: string | null; elicit: Elicit | null };

/** No person has answered, and none is going to. */
export const unanswered: ElicitResult = { action: "decline" };

/**
 * The calls of one session that wait for an answer. In the older protocol a server's question does not name its call, so the
 * question goes to the only conversation with running calls. With several, nobody is asked, because a question must not
 * reach the wrong people.
 */
export class RunningCalls {
  private readonly calls = new Set<RunningCall>();

  get size(): number {
    return this.calls.size;
  }

  async during<T>(call: RunningCall, work: () => Promise<T>): Promise<T> {
    this.calls.add(call);
    try {
      return await work();
    } finally {
      this.calls.delete(call);
    }
  }

  elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const [first] = this.calls;
    const isOfOne = [...this.calls].every(({ conversationId }) => conversationId === first?.conversationId);
    return isOfOne && first?.elicit ? first.elicit(params, signal) : Promise.resolve(unanswered);
  }
}

import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";

/** Answers a server's question about one call. */
export type Elicit = (params: ElicitRequestParams, signal: AbortSignal) => Promise<ElicitResult>;

/** Answers a server's request for a model's words. */
export type Sample = (
  params: CreateMessageRequestParams,
  asked: { signal: AbortSignal; conversationId: string | null },
) => Promise<CreateMessageResult>;

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

  /** `sampler`: null when the server may not ask models. */
  constructor(private readonly sampler: Sample | null = null) {}

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

  /** Asks a model for the server, only while a call of it runs. @throws ProtocolError */
  async sample(params: CreateMessageRequestParams, signal: AbortSignal): Promise<CreateMessageResult> {
    if (!this.sampler) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "This server may not ask models (sampling is off).");
    if (this.calls.size === 0) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Ask a model only while a call of yours runs.");
    const ids = new Set([...this.calls].map(({ conversationId }) => conversationId));
    const [only = null] = ids;
    return this.sampler(params, { signal, conversationId: ids.size === 1 ? only : null });
  }

  elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const [first] = this.calls;
    const isOfOne = [...this.calls].every(({ conversationId }) => conversationId === first?.conversationId);
    return isOfOne && first?.elicit ? first.elicit(params, signal) : Promise.resolve(unanswered);
  }
}

import { AsyncLocalStorage } from "node:async_hooks";
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";

/**
 * Answers a server's question about one call. `ofSeveral`: calls of other conversations run in the same session, and the
 * server does not say which one it asks for.
 */
export type Elicit = (params: ElicitRequestParams, signal: AbortSignal, ofSeveral?: boolean) => Promise<ElicitResult>;

/** Answers a server's request for a model's words. */
export type Sample = (
  params: CreateMessageRequestParams,
  asked: { signal: AbortSignal; conversationId: string | null },
) => Promise<CreateMessageResult>;

/** A call that waits for its answer. */
export type RunningCall = { conversationId: string | null; elicit: Elicit | null };

/** Nobody has answered, which is no refusal by a person. */
export const unanswered: ElicitResult = { action: "cancel" };

/**
 * The calls of one session that wait for an answer. In the older protocol a server's question does not name its call. Over
 * HTTP it arrives on the call's own stream, so that it is read in the asynchronous context of that call. A program has one
 * stream for all: there the oldest call that waits for no answer is asked, and people are told when it may be another's.
 */
export class RunningCalls {
  private readonly calls = new Set<RunningCall>();
  private readonly current = new AsyncLocalStorage<RunningCall>();
  private readonly asked = new Set<RunningCall>();

  /** `sampler`: null when the server may not ask models. */
  constructor(private readonly sampler: Sample | null = null) {}

  get size(): number {
    return this.calls.size;
  }

  async during<T>(call: RunningCall, work: () => Promise<T>): Promise<T> {
    this.calls.add(call);
    try {
      return await this.current.run(call, work);
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

  async elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const named = this.current.getStore();
    if (named && this.calls.has(named)) return named.elicit ? named.elicit(params, signal) : unanswered;
    const able = [...this.calls].filter(({ elicit }) => elicit !== null);
    const call = able.find((one) => !this.asked.has(one)) ?? able[0];
    if (!call?.elicit) return unanswered;
    const ofSeveral = able.some(({ conversationId }) => conversationId !== call.conversationId);
    this.asked.add(call);
    try {
      return await call.elicit(params, signal, ofSeveral);
    } finally {
      this.asked.delete(call);
    }
  }
}

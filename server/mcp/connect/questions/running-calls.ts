import { AsyncLocalStorage } from "node:async_hooks";
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  type ListRootsResult,
  ProtocolError,
  ProtocolErrorCode,
} from "@modelcontextprotocol/client";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { mcpLogLevels } from "@/contracts/mcp-contents";
import type { ClientAnswer, ServerLogLine } from "@/server/tools/calling-client";

/**
 * Answers a server's question about one call. `ofSeveral`: calls of other conversations run in the same session, and the
 * server does not say which one it asks for. `key`: the server's own name of the question.
 */
export type Elicit = (params: ElicitRequestParams, signal: AbortSignal, ofSeveral?: boolean, key?: string) => Promise<ElicitResult>;

/** Answers a server's request for a model's words. */
export type Sample = (
  params: CreateMessageRequestParams,
  asked: { signal: AbortSignal; conversationId: string | null },
) => Promise<CreateMessageResult>;

/** The answers of the client that made a call; null from one that cannot give this answer, so that somebody else is asked. */
export type ClientAnswers = {
  elicit(params: ElicitRequestParams, signal: AbortSignal, key?: string): Promise<ElicitResult | null>;
  sample(params: CreateMessageRequestParams, signal: AbortSignal, key?: string): Promise<CreateMessageResult | null>;
  roots(signal: AbortSignal, key?: string): Promise<ListRootsResult | null>;
  can(answer: ClientAnswer): boolean;
};

/** A call that waits for its answer. `client`: what the program that made it answers itself. */
export type RunningCall = {
  conversationId: string | null;
  elicit: Elicit | null;
  client: ClientAnswers | null;
  /** Receives the server's log messages. */
  log: ((line: ServerLogLine) => void) | null;
};

/** Nobody has answered, which is no refusal by a person. */
export const unanswered: ElicitResult = { action: "cancel" };

const noRoots: ListRootsResult = { roots: [] };

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

  /** Asks the call's client or a model for the server, only while a call of it runs. @throws ProtocolError */
  async sample(params: CreateMessageRequestParams, signal: AbortSignal, key?: string): Promise<CreateMessageResult> {
    const answer = await this.only()?.client?.sample(params, signal, key);
    if (answer) return answer;
    if (!this.sampler) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "This server may not ask models (sampling is off).");
    if (this.calls.size === 0) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Ask a model only while a call of yours runs.");
    const ids = new Set([...this.calls].map(({ conversationId }) => conversationId));
    const [only = null] = ids;
    return this.sampler(params, { signal, conversationId: ids.size === 1 ? only : null });
  }

  /** Returns the roots of the call's client; none of Handrail's own, because a server never sees the folder of a conversation. */
  async roots(signal: AbortSignal, key?: string): Promise<ListRootsResult> {
    return (await this.only()?.client?.roots(signal, key)) ?? noRoots;
  }

  async elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const named = this.named();
    if (named) return named.elicit ? named.elicit(params, signal) : unanswered;
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

  /** Passes a log message to the client of its call. One that may be another conversation's goes to no client. */
  log(params: unknown): void {
    if (!isJsonObject(params)) return;
    const level = mcpLogLevels.find((known) => known === params.level);
    const { logger, data } = params;
    if (level) this.only()?.log?.({ level, ...(typeof logger === "string" ? { logger } : {}), data });
  }

  /** The call in whose asynchronous context this runs. */
  private named(): RunningCall | null {
    const named = this.current.getStore();
    return named && this.calls.has(named) ? named : null;
  }

  /** The only call that a message of the server can belong to. */
  private only(): RunningCall | null {
    const named = this.named();
    if (named) return named;
    const [only = null] = this.calls;
    return this.calls.size === 1 ? only : null;
  }
}

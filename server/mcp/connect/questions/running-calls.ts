import { AsyncLocalStorage } from "node:async_hooks";
import {
  type CreateMessageRequestParams,
  type CreateMessageResult,
  type ElicitRequestParams,
  type ElicitResult,
  type ListRootsResult,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
} from "@modelcontextprotocol/client";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { mcpLogLevels } from "@/contracts/mcp/mcp-contents";
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
  /** Stops the call's clock while what may be its question waits for an answer. */
  standStill?: (<T>(wait: () => Promise<T>) => Promise<T>) | undefined;
};

/** The call that a question is taken for. `others`: those that may have asked it as well. */
type Asker = { call: RunningCall; isCertain: boolean; others: readonly RunningCall[] };

/** Nobody has answered, which is no refusal by a person. */
export const unanswered: ElicitResult = { action: "cancel" };

const noRoots: ListRootsResult = { roots: [] };

/**
 * The calls of one session that wait for an answer. In the older protocol a server's question does not name its call. Over
 * HTTP it arrives on the call's own stream, so that it is read in the asynchronous context of that call. A program has one
 * stream for all: there a question names its call only by its task. Otherwise it belongs to one of the calls that have no
 * question open, because a tool that waits for an answer seldom asks a second one. It is certain when all of them are of one
 * conversation; else people are asked, and told that it may be another's. Meanwhile the clocks of all of them stand still, and
 * when the asked one ends, the question is the next one's.
 */
export class RunningCalls {
  private readonly calls = new Set<RunningCall>();
  private readonly current = new AsyncLocalStorage<RunningCall>();
  /** Number of open questions by call. */
  private readonly open = new Map<RunningCall, number>();
  private readonly tasks = new Map<string, RunningCall>();

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
      for (const [id, owner] of this.tasks) if (owner === call) this.tasks.delete(id);
    }
  }

  /** Notes that the call in whose asynchronous context this runs is a task of the server. */
  startedTask(taskId: string): void {
    const call = this.named();
    if (call) this.tasks.set(taskId, call);
  }

  /** Asks the call's client or a model for the server, only while a call of it runs. @throws ProtocolError */
  async sample(params: CreateMessageRequestParams, signal: AbortSignal, key?: string): Promise<CreateMessageResult> {
    const asker = this.askerOf(params._meta);
    const client = asker?.isCertain ? asker.call.client : null;
    const answer = client && (await this.whileAsked(asker?.call, () => client.sample(params, signal, key)));
    if (answer) return answer;
    if (!this.sampler) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "This server may not ask models (sampling is off).");
    if (!asker) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, "Ask a model only while a call of yours runs.");
    return this.sampler(params, { signal, conversationId: asker.isCertain ? asker.call.conversationId : null });
  }

  /** Returns the roots of the call's client; none of Handrail's own, because a server never sees the folder of a conversation. */
  async roots(signal: AbortSignal, key?: string, meta?: unknown): Promise<ListRootsResult> {
    const asker = this.askerOf(meta);
    const client = asker?.isCertain ? asker.call.client : null;
    return (client && (await this.whileAsked(asker?.call, () => client.roots(signal, key)))) ?? noRoots;
  }

  async elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    for (;;) {
      const asker = this.askerOf(params._meta, ({ elicit }) => elicit !== null);
      const elicit = asker?.call.elicit;
      if (!elicit) return unanswered;
      const { call, isCertain, others } = asker;
      const ask = () => elicit(params, signal, !isCertain);
      const waiting = others.reduce<typeof ask>((work, { standStill }) => (standStill ? () => standStill(work) : work), ask);
      try {
        return await this.whileAsked(call, waiting);
      } catch (error) {
        // A call that has ended without the answer did not ask.
        if (signal.aborted || this.calls.has(call)) throw error;
      }
    }
  }

  /** Passes a log message to the client of its call. One that may be another conversation's goes to no client. */
  log(params: unknown): void {
    if (!isJsonObject(params)) return;
    const level = mcpLogLevels.find((known) => known === params.level);
    const { logger, data } = params;
    if (level) this.only()?.log?.({ level, ...(typeof logger === "string" ? { logger } : {}), data });
  }

  /** Finds the call whose question this is; `prefers` chooses among calls that may be it. */
  private askerOf(meta: unknown, prefers = (_call: RunningCall) => true): Asker | null {
    const named = this.named(meta);
    if (named) return { call: named, isCertain: true, others: [] };
    const free = [...this.calls].filter((call) => !this.open.has(call));
    const candidates = free.length > 0 ? free : [...this.calls];
    const call = candidates.find(prefers) ?? candidates[0];
    if (!call) return null;
    const others = candidates.filter((other) => other !== call);
    return { call, isCertain: others.every(({ conversationId }) => conversationId === call.conversationId), others };
  }

  private async whileAsked<T>(call: RunningCall | undefined, ask: () => Promise<T>): Promise<T> {
    if (!call) return ask();
    this.open.set(call, (this.open.get(call) ?? 0) + 1);
    try {
      return await ask();
    } finally {
      const left = (this.open.get(call) ?? 1) - 1;
      if (left > 0) this.open.set(call, left);
      else this.open.delete(call);
    }
  }

  /** The call of the task that a message names, or in whose asynchronous context this runs. */
  private named(meta?: unknown): RunningCall | null {
    const task = isJsonObject(meta) ? meta[RELATED_TASK_META_KEY] : undefined;
    const ofTask = isJsonObject(task) && typeof task.taskId === "string" ? this.tasks.get(task.taskId) : undefined;
    const named = ofTask ?? this.current.getStore();
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

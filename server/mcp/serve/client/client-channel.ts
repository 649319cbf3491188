import "server-only";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { mcpLogLevels } from "@/contracts/mcp/mcp-contents";
import type { ClientReply, ClientRequest, EnteredClient, ProgressStep, ServerLogLine } from "@/server/tools/calling-client";
import { awaitReply, newRequestId } from "./client-replies";
import type { McpClient } from "./mcp-client";

/** The time of a client for an answer. Its user reads a form meanwhile, and the call's own time stands still. */
const answerSeconds = 300;

/** The open connection of a request, over which its client can be reached. */
export type Connection = {
  notify(method: string, params: Record<string, unknown>): void;
  /** Sends a request; absent in the newer protocol, where requests are part of the call's answer. */
  send?(message: { id: string; method: string; params: Record<string, unknown> }): void;
  progressToken: string | number | null;
};

type OpenRequest = ClientRequest & { id: string; reply: (reply: ClientReply) => void };

/**
 * The way to the client of one call while it waits: its progress, its server's log messages and questions. The older protocol
 * asks over the connection of the request; the newer one asks with an answer that the client repeats the call for.
 */
export class ClientChannel {
  private connection: Connection | null = null;
  private readonly open = new Map<string, OpenRequest>();
  private readonly early = new Map<string, unknown>();
  private wake = () => {};
  private lastProgress: number | null = null;

  constructor(private readonly client: McpClient) {}

  /** Returns the client as the call's server may use it. */
  entered(ended: () => void): EnteredClient {
    const { actor, name, answers, logLevel } = this.client;
    return {
      ...{ actor, name, answers, logLevel, ended },
      progress: (message, step) => this.progress(message, step),
      log: (line) => this.log(line),
      request: (request, signal) => this.request(request, signal),
    };
  }

  /** Connects the channel to the request that waits for the call now. */
  connect(connection: Connection): void {
    this.connection = connection;
  }

  /** Ends the connection. In the older protocol nobody can answer over it any more. */
  disconnect(): void {
    const wasAsking = this.connection?.send !== undefined;
    this.connection = null;
    if (wasAsking) for (const { reply } of [...this.open.values()]) reply({ kind: "gone" });
  }

  /** The requests that wait for an answer, by the names under which the client answers them. */
  get requests(): Record<string, Pick<OpenRequest, "id" | "method" | "params">> {
    return Object.fromEntries([...this.open].map(([key, { id, method, params }]) => [key, { id, method, params }]));
  }

  get isAsking(): boolean {
    return this.open.size > 0;
  }

  /** Aborts when the client is asked something that has to be part of an answer. */
  asked(): AbortSignal {
    const asked = new AbortController();
    this.wake = () => asked.abort();
    if (this.isAsking) asked.abort();
    return asked.signal;
  }

  /** Takes the answers that a repeated call brings. Those to questions that are not asked yet are kept for them. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    for (const [key, response] of Object.entries(responses)) {
      const request = this.open.get(key);
      if (!request) this.early.set(key, response);
      else if (isJsonObject(response)) request.reply({ kind: "answered", result: response });
    }
  }

  private progress(message: string, step?: ProgressStep): void {
    const { connection } = this;
    if (!connection || connection.progressToken === null) return;
    // The protocol wants numbers that grow; a tool of Handrail has none.
    const isNext = step !== undefined && (this.lastProgress === null || step.progress > this.lastProgress);
    this.lastProgress = isNext ? step.progress : (this.lastProgress ?? 0) + 1;
    const numbers = isNext ? step : { progress: this.lastProgress };
    const isNumber =
      step !== undefined && message === (step.total === undefined ? `${step.progress}` : `${step.progress} of ${step.total}`);
    const { progressToken } = connection;
    connection.notify("notifications/progress", { progressToken, ...numbers, ...(isNumber ? {} : { message }) });
  }

  private log({ level, logger, data }: ServerLogLine): void {
    const { logLevel } = this.client;
    if (logLevel === null || mcpLogLevels.indexOf(level) < mcpLogLevels.indexOf(logLevel)) return;
    this.connection?.notify("notifications/message", { level, ...(logger === undefined ? {} : { logger }), data });
  }

  private request(request: ClientRequest, signal: AbortSignal): Promise<ClientReply> {
    const id = newRequestId();
    const key = request.key ?? id;
    const early = this.early.get(key);
    this.early.delete(key);
    if (isJsonObject(early)) return Promise.resolve({ kind: "answered", result: early });
    const send = this.connection?.send;
    if (!send && !this.client.isStateless) return Promise.resolve({ kind: "gone" });
    return new Promise((resolve) => {
      const end = (reply: ClientReply) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        forget();
        this.open.delete(key);
        resolve(reply);
      };
      const stop = () => {
        this.connection?.notify("notifications/cancelled", { requestId: id });
        end({ kind: "gone" });
      };
      const timer = setTimeout(() => {
        this.connection?.notify("notifications/cancelled", { requestId: id, reason: "Nobody answered in time." });
        end({ kind: "expired", seconds: answerSeconds });
      }, answerSeconds * 1_000);
      timer.unref();
      const forget = awaitReply(id, this.client, end);
      this.open.set(key, { ...request, id, reply: end });
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) return stop();
      send?.({ id, method: request.method, params: request.params });
      // The questions of one round are asked together.
      setImmediate(() => this.wake());
    });
  }
}

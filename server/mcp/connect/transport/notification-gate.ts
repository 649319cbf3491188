import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { makeRateLimit } from "../limits/rate-limit";
import { type ThrottledLatest, throttleLatest } from "../limits/throttle-latest";

export const progressEveryMilliseconds = 100;
const changesEveryMilliseconds = 1_000;
const maxCallsFollowed = 256;
/** Rate limit of new progress tokens, because a server may invent a new token each time. */
const progressPace = { burst: 512, perSecond: 1_000 };

/** Notifications that the gate drops, because resources and prompts are read when somebody looks at them. */
const unread = new Set(["notifications/resources/updated", "notifications/resources/list_changed", "notifications/prompts/list_changed"]);
const toolsChanged = "notifications/tools/list_changed";
const logMessage = "notifications/message";

/**
 * Throttles notifications before any expensive processing, because a server may send a hundred thousand per second. Per
 * second, about ten progress notifications of each call and one changed tool list pass. The last notification before a
 * pause is never lost.
 */
export class NotificationGate {
  private readonly calls = new Map<string | number, ThrottledLatest<unknown>>();
  private readonly changes: ThrottledLatest<unknown>;
  private readonly pace = makeRateLimit(progressPace);

  constructor(
    private readonly deliver: (message: JSONRPCMessage) => void,
    /** Receives the parameters of log messages, which the SDK never sees. */
    private readonly onLog: (params: unknown) => void = () => {},
  ) {
    this.changes = throttleLatest<unknown>(changesEveryMilliseconds, (message) => this.pass(message));
  }

  /** Takes a notification, and returns whether the message is done. An answer ends the progress of its call. */
  takes(message: unknown): boolean {
    if (!isJsonObject(message)) return false;
    const { id, method } = message;
    if (method === undefined) {
      if (typeof id === "number" || typeof id === "string") this.forget(id);
      return false;
    }
    if (typeof method !== "string" || id !== undefined) return false;
    if (unread.has(method)) return true;
    if (method === logMessage) {
      this.onLog(message.params);
      return true;
    }
    if (method === toolsChanged) {
      this.changes.offer(message);
      return true;
    }
    return method === "notifications/progress" && this.takesProgress(message);
  }

  /** Ends the progress of a call. */
  forget(token: string | number): void {
    this.calls.get(token)?.stop();
    this.calls.delete(token);
  }

  stop(): void {
    this.changes.stop();
    for (const token of [...this.calls.keys()]) this.forget(token);
  }

  private takesProgress(message: Record<string, unknown>): boolean {
    if (!isJsonObject(message.params)) return false;
    const { progressToken } = message.params;
    if (typeof progressToken !== "number" && typeof progressToken !== "string") return false;
    const known = this.calls.get(progressToken);
    if (known) known.offer(message);
    else if (this.pace(1) === 0) this.gateOf(progressToken).offer(message);
    return true;
  }

  private gateOf(token: string | number): ThrottledLatest<unknown> {
    const [oldest] = this.calls.keys();
    if (oldest !== undefined && this.calls.size >= maxCallsFollowed) this.forget(oldest);
    const gate = throttleLatest<unknown>(progressEveryMilliseconds, (message) => this.pass(message));
    this.calls.set(token, gate);
    return gate;
  }

  private pass(message: unknown): void {
    let parsed: JSONRPCMessage;
    try {
      parsed = parseJSONRPCMessage(message);
    } catch {
      return;
    }
    this.deliver(parsed);
  }
}

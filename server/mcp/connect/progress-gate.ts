import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject } from "./input-schema";
import { type KeepLatest, keepLatest } from "./keep-latest";

export const progressEveryMilliseconds = 100;
const maxCallsFollowed = 256;

/**
 * Thins out progress before anything expensive happens to it: a server may send a hundred thousand a second, and about
 * ten a second and call are looked at. The last one before a pause is never lost.
 */
export class ProgressGate {
  private readonly calls = new Map<string | number, KeepLatest<unknown>>();

  constructor(private readonly deliver: (message: JSONRPCMessage) => void) {}

  /** Whether a message was progress, which is then dealt with. An answer ends the progress of its call. */
  takes(message: unknown): boolean {
    if (!isJsonObject(message)) return false;
    if (message.method === undefined) {
      if (typeof message.id === "number" || typeof message.id === "string") this.forget(message.id);
      return false;
    }
    if (message.method !== "notifications/progress" || !isJsonObject(message.params)) return false;
    const { progressToken } = message.params;
    if (typeof progressToken !== "number" && typeof progressToken !== "string") return false;
    this.gateOf(progressToken).offer(message);
    return true;
  }

  stop(): void {
    for (const token of [...this.calls.keys()]) this.forget(token);
  }

  private gateOf(token: string | number): KeepLatest<unknown> {
    const known = this.calls.get(token);
    if (known) return known;
    const [oldest] = this.calls.keys();
    if (oldest !== undefined && this.calls.size >= maxCallsFollowed) this.forget(oldest);
    const gate = keepLatest<unknown>(progressEveryMilliseconds, (message) => this.pass(message));
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

  private forget(token: string | number): void {
    this.calls.get(token)?.stop();
    this.calls.delete(token);
  }
}

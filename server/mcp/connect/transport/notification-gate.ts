import { type JSONRPCMessage, parseJSONRPCMessage } from "@modelcontextprotocol/client";
import { z } from "zod";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { makeRateLimit } from "@/server/platform/rate-limit";
import { type ThrottledLatest, throttleLatest } from "../limits/throttle-latest";

const progressEveryMilliseconds = 100;
const changesEveryMilliseconds = 1_000;
/** Rate limit of changed resources: each names one, so none may stand for another. */
const updatePace = { burst: 200, perSecond: 50 };

const listChanges = ["tools", "resources", "prompts"].map((list) => `notifications/${list}/list_changed`);
const logMessage = "notifications/message";

const Step = z.object({
  progressToken: z.number(),
  progress: z.number(),
  total: z.number().optional().catch(undefined),
  message: z.string().optional().catch(undefined),
});
/** A step of a call's progress, as the server sent it. */
export type ProgressStep = Omit<z.infer<typeof Step>, "progressToken">;

/**
 * Throttles notifications before any expensive processing, because a server may send a hundred thousand per second. Per
 * second, about ten steps of each call and one change of each list pass. The last notification before a pause is never lost.
 */
export class NotificationGate {
  private readonly calls = new Map<number, ThrottledLatest<ProgressStep>>();
  private readonly changes: ReadonlyMap<string, ThrottledLatest<unknown>>;
  private readonly pace = makeRateLimit(updatePace);

  constructor(
    private readonly deliver: (message: JSONRPCMessage) => void,
    /** Receives the parameters of log messages, which the SDK never sees. */
    private readonly onLog: (params: unknown) => void = () => {},
  ) {
    const throttled = () => throttleLatest<unknown>(changesEveryMilliseconds, (message) => this.pass(message));
    this.changes = new Map(listChanges.map((method) => [method, throttled()]));
  }

  /**
   * Follows the progress of one call by its token. The SDK drops a step that comes with the answer, so it never sees them.
   * @returns a function that ends it, and passes the last step that was held back
   */
  follow(token: number, listener: (step: ProgressStep) => void): () => void {
    const steps = throttleLatest(progressEveryMilliseconds, listener);
    this.calls.set(token, steps);
    return () => {
      steps.flush();
      steps.stop();
      this.calls.delete(token);
    };
  }

  /** Takes a notification, and returns whether the message is done. */
  takes(message: unknown): boolean {
    if (!isJsonObject(message)) return false;
    const { id, method, params } = message;
    if (typeof method !== "string" || id !== undefined) return false;
    if (method === logMessage) {
      this.onLog(params);
      return true;
    }
    const changes = this.changes.get(method);
    if (changes) {
      changes.offer(message);
      return true;
    }
    if (method === "notifications/resources/updated") {
      if (this.pace(1) === 0) this.pass(message);
      return true;
    }
    if (method !== "notifications/progress") return false;
    const step = Step.safeParse(params);
    // Progress of a call that nobody made is dropped.
    if (step.success) this.calls.get(step.data.progressToken)?.offer(step.data);
    return true;
  }

  stop(): void {
    for (const changes of this.changes.values()) changes.stop();
    for (const steps of this.calls.values()) steps.stop();
    this.calls.clear();
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

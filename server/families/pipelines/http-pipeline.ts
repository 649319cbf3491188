import { z } from "zod";
import type { HttpCapability } from "@/server/capabilities/network/http";
import { AppError } from "@/server/platform/errors";
import type { Gate, Pipeline, TaskState } from "./pipeline";

type Settings = {
  /** Without a trailing slash. */
  url: string;
  secret: string | null;
  timeoutMs: number;
  /** Equal for the same call, so that the pipeline accepts a repeated submission only once. */
  idempotencyKey: string;
};

const maxAnswerBytes = 262_144;
const requestTimeoutMs = 30_000;
const maxGates = 50;
const maxQuestionChars = 4_000;

const words = z.string().nullish().catch(null);
const TaskId = z.union([z.string().min(1).max(200), z.number()]).transform(String);
const Submitted = z.object({ intent_id: TaskId });
const Gates = z.object({
  pending: z
    .array(z.object({ node_id: TaskId, question: words, options: z.array(z.string()).max(50).nullish().catch(null) }))
    .nullish()
    .transform((pending) => pending ?? []),
});
const State = z.object({
  status: z.string(),
  result: z.object({ answer: words }).nullish().catch(null),
  error: words,
  clarify: words,
});

const ended: Record<string, TaskState["state"]> = {
  done: "done",
  completed: "done",
  succeeded: "done",
  failed: "failed",
  error: "failed",
  clarify: "unclear",
  cancelled: "cancelled",
  canceled: "cancelled",
};

/** Returns a pipeline that speaks the protocol of docs/core-execute.md. Its responses are untrusted: size-limited, and parsed leniently. */
export function httpPipeline(http: HttpCapability, { url, secret, timeoutMs, idempotencyKey }: Settings): Pipeline {
  const ask = async (method: "GET" | "POST" | "DELETE", path: string, signal: AbortSignal, body?: unknown): Promise<unknown> => {
    const answer = await http.fetch(`${url}${path}`, {
      method,
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ownHeaders: {
        ...(secret === null ? {} : { authorization: `Bearer ${secret}` }),
        ...(method === "POST" ? { "idempotency-key": idempotencyKey } : {}),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestTimeoutMs)]),
      maxBytes: maxAnswerBytes,
    });
    if (answer.status < 200 || answer.status > 299) throw broken(`it answered ${answer.status}`);
    if (answer.truncated) throw broken("its answer is too large");
    const text = Buffer.from(answer.bytes).toString("utf8");
    try {
      return text.trim() === "" ? {} : JSON.parse(text);
    } catch {
      throw broken("its answer is not JSON");
    }
  };
  const at = (taskId: string) => encodeURIComponent(taskId);
  return {
    timeoutMs,
    async submit(intent, signal) {
      const submitted = Submitted.safeParse(await ask("POST", "/messages/async", signal, { prose: intent }));
      if (!submitted.success) throw broken("it took the task and gave it no intent_id");
      return submitted.data.intent_id;
    },
    async gatesOf(taskId, signal) {
      const gates = Gates.safeParse(await ask("GET", `/intents/${at(taskId)}/gates`, signal));
      if (!gates.success) throw broken("its list of gates cannot be read");
      return gates.data.pending.slice(0, maxGates).map(
        ({ node_id, question, options }): Gate => ({
          id: node_id,
          question: (question ?? "").slice(0, maxQuestionChars),
          options: options ?? [],
        }),
      );
    },
    async answer(taskId, gateId, answer, signal) {
      await ask("POST", `/intents/${at(taskId)}/gates/${at(gateId)}/answer`, signal, answer);
    },
    async stateOf(taskId, signal) {
      const found = State.safeParse(await ask("GET", `/messages/async/${at(taskId)}`, signal));
      if (!found.success) throw broken("its status cannot be read");
      const { status, result, error, clarify } = found.data;
      switch (ended[status.toLowerCase()]) {
        case "done":
          return { state: "done", answer: result?.answer ?? "" };
        case "failed":
          return { state: "failed", message: error ?? "it gave no reason" };
        case "unclear":
          return { state: "unclear", question: clarify ?? "" };
        case "cancelled":
          return { state: "cancelled" };
        default:
          return clarify ? { state: "unclear", question: clarify } : { state: "running" };
      }
    },
    async cancel(taskId) {
      await ask("DELETE", `/messages/async/${at(taskId)}`, AbortSignal.timeout(requestTimeoutMs));
    },
  };
}

function broken(what: string): AppError {
  return new AppError("unavailable", `The secure pipeline could not be used: ${what}.`);
}

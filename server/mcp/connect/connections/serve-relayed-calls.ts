import "server-only";
import type { Json } from "@/contracts/common";
import { AppError, isAppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onReplicaMessage, sendToReplica } from "@/server/replicas/mailbox";
import { isReplicaGone } from "@/server/replicas/presence";
import type { CallingClient, ClientReply, ProgressStep } from "@/server/tools/calling-client";
import type { PersonQuestion, ToolCallContext } from "@/server/tools/define-tool";
import { relayedFromHere } from "../calls/relay-call";
import { packResult, RelayMessage, relayTopic } from "../calls/relay-messages";
import { throttleLatest } from "../limits/throttle-latest";
import type { CallUpstreamHere } from "./upstream-calls";

type RelayedCall = Extract<RelayMessage, { kind: "call" }>;
type Served = {
  abort: AbortController;
  answers: Map<number, (message: Extract<RelayMessage, { kind: "answer" }>) => void>;
  replies: Map<number, (reply: ClientReply) => void>;
};

const progressEveryMs = 500;
const pollIntervalMs = 5_000;

/** The calls that this replica makes for others, by relay id. */
const served = () => processWide("mcp.served", () => new Map<string, Served>());

/** Makes the calls that other replicas relay to the sessions here, and passes their news on. */
export function serveRelayedCalls(find: (serverId: string) => CallUpstreamHere | undefined): void {
  onReplicaMessage(relayTopic, (body: Json) => {
    const message = RelayMessage.parse(body);
    switch (message.kind) {
      case "call":
        void serve(message, find(message.serverId));
        return;
      case "client_reply":
        served().get(message.relay)?.replies.get(message.number)?.(message.reply);
        return;
      case "cancel":
        served().get(message.relay)?.abort.abort(new Error("the call was stopped"));
        return;
      case "answer":
        served().get(message.relay)?.answers.get(message.number)?.(message);
        return;
      default:
        relayedFromHere().get(message.relay)?.(message);
    }
  });
}

async function serve(call: RelayedCall, callHere: CallUpstreamHere | undefined): Promise<void> {
  const { relay, from } = call;
  const abort = new AbortController();
  const entry: Served = { abort, answers: new Map(), replies: new Map() };
  served().set(relay, entry);
  const send = (message: RelayMessage) =>
    sendToReplica(from, relayTopic, message).catch((error) => log().warn({ err: error }, "news of a relayed call could not be sent"));
  const lines = throttleLatest<{ message: string; step?: ProgressStep }>(
    progressEveryMs,
    (line) => void send({ kind: "progress", relay, ...line }),
  );
  const progress: ToolCallContext["progress"] = (message, step) => lines.offer({ message, ...(step ? { step } : {}) });
  const look = setInterval(() => {
    // Nobody waits for the result of a replica that is gone.
    void isReplicaGone(from).then(
      (isGone) => isGone && abort.abort(new Error("the calling replica is gone")),
      () => {},
    );
  }, pollIntervalMs);
  try {
    const outcome = await callHere?.(call.tool, call.args, contextOf(call, entry, progress, send));
    lines.flush();
    if (!outcome || "replica" in outcome) await send({ kind: "moved", relay });
    else await send({ kind: "done", relay, ...packResult(outcome.result) });
  } catch (error) {
    const known = isAppError(error) ? error : new AppError("unavailable", "The call failed on the replica that has its session.");
    if (!isAppError(error) && !abort.signal.aborted) log().warn({ err: error }, "a relayed call failed unexpectedly");
    await send({ kind: "failed", relay, error: { code: known.code, message: known.message } });
  } finally {
    clearInterval(look);
    lines.stop();
    served().delete(relay);
  }
}

function contextOf(
  { relay, timeoutMs, traceparent, meta, origin, mayAsk, client, tool }: RelayedCall,
  { abort, answers, replies }: Served,
  progress: ToolCallContext["progress"],
  send: (message: RelayMessage) => Promise<void>,
): ToolCallContext {
  let questions = 0;
  const ask = async ({ options, ...question }: PersonQuestion): Promise<string> => {
    const number = questions++;
    const answered = Promise.withResolvers<string>();
    answers.set(number, ({ answer, refusal }) => {
      if (answer !== null) answered.resolve(answer);
      else answered.reject(new AppError(refusal?.code ?? "conflict", refusal?.message ?? "The question was not answered."));
    });
    const stop = () => answered.reject(abort.signal.reason);
    abort.signal.addEventListener("abort", stop, { once: true });
    await send({ kind: "ask", relay, number, question: { ...question, ...(options ? { options: [...options] } : {}) } });
    return answered.promise.finally(() => abort.signal.removeEventListener("abort", stop));
  };
  return {
    signal: abort.signal,
    timeoutMs,
    mayRepeat: tool.idempotent,
    progress,
    origin,
    ...(traceparent ? { traceparent } : {}),
    ...(meta ? { meta } : {}),
    ...(mayAsk ? { ask } : {}),
    ...(client ? { client: clientElsewhere({ relay, client, abort, replies }, send) } : {}),
  };
}

type Elsewhere = Pick<Served, "abort" | "replies"> & { relay: string; client: NonNullable<RelayedCall["client"]> };

/** The client that waits on the replica that got the call. */
function clientElsewhere({ relay, client, abort, replies }: Elsewhere, send: (message: RelayMessage) => Promise<void>): CallingClient {
  let requests = 0;
  return {
    ...client,
    log: (line) => void send({ kind: "log", relay, ...line, data: (line.data ?? null) as Json }),
    request: async (request) => {
      const number = requests++;
      const replied = Promise.withResolvers<ClientReply>();
      replies.set(number, replied.resolve);
      const stop = () => replied.resolve({ kind: "gone" });
      abort.signal.addEventListener("abort", stop, { once: true });
      await send({ kind: "ask_client", relay, number, request });
      return replied.promise.finally(() => abort.signal.removeEventListener("abort", stop));
    },
  };
}

import "server-only";
import type { JsonObject } from "@/contracts/common";
import { AppError, isAppError } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { sendToReplica } from "@/server/replicas/mailbox";
import { isReplicaGone } from "@/server/replicas/presence";
import type { CallingClient, ClientReply, ClientRequest, ProgressStep, ServerLogLine } from "@/server/tools/calling-client";
import type { ToolCallContext, ToolResult } from "@/server/tools/define-tool";
import { effectUnknown } from "./call-upstream";
import { type RelayMessage, relayTopic, unpackResult } from "./relay-messages";

type RelayedCall = {
  serverId: string;
  alias: string;
  tool: { rawName: string; inputSchema: JsonObject; idempotent: boolean };
  args: JsonObject;
};
type Waiting = (message: RelayMessage) => void;

const pollIntervalMs = 2_000;

/** The calls that other replicas make for this replica, by relay id. */
export const relayedFromHere = () => processWide("mcp.relayed", () => new Map<string, Waiting>());

/**
 * Has a call made by the replica that has its session. Progress, questions and cancellation pass through.
 * @returns the result, or `moved` when the session is not at that replica any more
 * @throws AppError when the replica stopped; the signal's reason when the call was aborted
 */
export async function relayCall(
  replica: string,
  { serverId, alias, tool, args }: RelayedCall,
  context: ToolCallContext,
): Promise<ToolResult | "moved"> {
  const { signal, origin, ask, timeoutMs, progress, traceparent, meta, client } = context;
  if (!origin) throw new AppError("unavailable", "A call without a conversation cannot be made by another replica.");
  const relay = newId();
  const send = (message: RelayMessage) => sendToReplica(replica, relayTopic, message);
  const ended = Promise.withResolvers<ToolResult | "moved">();
  ended.promise.catch(() => {});
  relayedFromHere().set(relay, (message) => {
    if (message.kind === "progress") progress(message.message, message.step as ProgressStep | undefined);
    else if (message.kind === "log") client?.log(message as ServerLogLine);
    else if (message.kind === "ask_client") void askClient(message, context, send);
    else if (message.kind === "ask") void answer(message, ask, send);
    else if (message.kind === "moved") ended.resolve("moved");
    else if (message.kind === "failed") ended.reject(new AppError(message.error.code, message.error.message));
    else if (message.kind === "done") ended.resolve(unpackResult(message));
  });
  const stop = () => {
    ended.reject(signal.reason);
    void send({ kind: "cancel", relay }).catch((error) => log().warn({ err: error }, "a relayed call could not be cancelled"));
  };
  const look = setInterval(() => {
    void isReplicaGone(replica).then(
      (isGone) => {
        const sentence = `The replica that kept the session of ${alias} stopped while the call was running. Its state is gone.`;
        if (isGone) ended.reject(new AppError("unavailable", `${sentence} ${tool.idempotent ? "Try again." : effectUnknown}`));
      },
      () => {},
    );
  }, pollIntervalMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const call = { kind: "call" as const, relay, from: bootId(), serverId, tool, args, timeoutMs, origin, mayAsk: ask !== undefined };
    await send({
      ...call,
      ...(traceparent ? { traceparent } : {}),
      ...(meta ? { meta } : {}),
      ...(client ? { client: factsOf(client) } : {}),
    });
    return await ended.promise;
  } finally {
    clearInterval(look);
    signal.removeEventListener("abort", stop);
    relayedFromHere().delete(relay);
  }
}

const factsOf = ({ name, answers, logLevel }: CallingClient) => ({ name, answers: [...answers], logLevel });

/** Asks the client of this replica on behalf of the replica that makes the call. */
async function askClient(
  { relay, number, request }: Extract<RelayMessage, { kind: "ask_client" }>,
  { client, signal }: ToolCallContext,
  send: (message: RelayMessage) => Promise<void>,
): Promise<void> {
  const gone: ClientReply = { kind: "gone" };
  const reply = await (client?.request(request as ClientRequest, signal).catch(() => gone) ?? gone);
  await send({ kind: "client_reply", relay, number, reply }).catch((error) =>
    log().warn({ err: error }, "an answer of a client could not be relayed"),
  );
}

/** Asks a person on behalf of the replica that makes the call. */
async function answer(
  { relay, number, question }: Extract<RelayMessage, { kind: "ask" }>,
  ask: ToolCallContext["ask"],
  send: (message: RelayMessage) => Promise<void>,
): Promise<void> {
  const { text, options, url } = question;
  const reply = await Promise.resolve(ask?.({ text, ...(options ? { options } : {}), ...(url ? { url } : {}) }))
    .then((given) => ({ answer: given ?? null, refusal: null }))
    .catch((error) => ({ answer: null, refusal: isAppError(error) ? { code: error.code, message: error.message } : null }));
  await send({ kind: "answer", relay, number, ...reply }).catch((error) => log().warn({ err: error }, "an answer could not be relayed"));
}

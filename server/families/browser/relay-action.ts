import "server-only";
import { z } from "zod";
import type { Json } from "@/contracts/common";
import { packResult, unpackResult } from "@/server/mcp/connect/calls/relay-messages";
import { AppError, type ErrorCode, errorStatuses, isAppError, toErrorMessage } from "@/server/platform/errors";
import { bootId, newId } from "@/server/platform/ids";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import { onReplicaMessage, sendToReplica } from "@/server/replicas/mailbox";
import { isReplicaGone } from "@/server/replicas/presence";
import type { ToolResult } from "@/server/tools/define-tool";
import { BrowserAction, type UploadFile } from "./browser-action";
import { performHere } from "./perform-action";
import { releaseSession, sessionOwner } from "./session-place";
import { claimHere, hasSession } from "./sessions";

export const relayTopic = "browser.relay";
const pollIntervalMs = 2_000;
const json = z.json() as z.ZodType<Json>;

/** A message about one action that another replica performs, because that replica keeps the browser. */
const RelayMessage = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("call"),
    relay: z.string(),
    from: z.string(),
    conversationId: z.string(),
    privateHosts: z.array(z.string()),
    approvedHosts: z.array(z.string()).default([]),
    uploads: z.array(z.object({ name: z.string(), mediaType: z.string(), base64: z.string() })).default([]),
    action: z.record(z.string(), json),
  }),
  z.object({ kind: z.literal("cancel"), relay: z.string() }),
  z.object({ kind: z.literal("failed"), relay: z.string(), code: z.string(), message: z.string() }),
  z.object({ kind: z.literal("done"), relay: z.string(), isRich: z.boolean(), result: json }),
]);
type RelayMessage = z.infer<typeof RelayMessage>;

export type ActionContext = {
  conversationId: string;
  privateHosts: readonly string[];
  /** Private hosts that are open for this action only. */
  approvedHosts?: readonly string[];
  uploads?: readonly UploadFile[];
  signal: AbortSignal;
};
type Waiting = (message: RelayMessage) => void;

const waiting = () => processWide("browser.relayed", () => new Map<string, Waiting>());
const serving = () => processWide("browser.served", () => new Map<string, AbortController>());

/** Performs an action here, or on the replica that keeps the conversation's browser. */
export async function performAnywhere(action: BrowserAction, context: ActionContext): Promise<ToolResult> {
  const { conversationId } = context;
  if (hasSession(conversationId)) return performHere(action, context);
  const owner =
    action.action === "start" || action.action === "open" ? await claimHere(conversationId) : await sessionOwner(conversationId);
  if (owner === null || owner === bootId()) return performHere(action, context);
  if (await isReplicaGone(owner)) {
    await releaseSession(conversationId, owner);
    throw new AppError("conflict", `${lostReplica} Use action=open with a url to begin again.`);
  }
  return relayAction(owner, action, context);
}

const lostReplica = "The replica that kept the browser of this conversation stopped, and its pages are gone.";

async function relayAction(replica: string, action: BrowserAction, context: ActionContext) {
  const { conversationId, privateHosts, approvedHosts = [], uploads = [], signal } = context;
  const relay = newId();
  const ended = Promise.withResolvers<ToolResult>();
  ended.promise.catch(() => {});
  waiting().set(relay, (message) => {
    if (message.kind === "done") ended.resolve(unpackResult(message));
    else if (message.kind === "failed") ended.reject(new AppError(codeOf(message.code), message.message));
  });
  const stop = () => {
    ended.reject(signal.reason);
    void sendToReplica(replica, relayTopic, { kind: "cancel", relay }).catch(() => {});
  };
  const look = setInterval(() => {
    void isReplicaGone(replica).then(
      (isGone) => isGone && ended.reject(new AppError("unavailable", `${lostReplica} Whether the action happened is not known.`)),
      () => {},
    );
  }, pollIntervalMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    const sent = JSON.parse(JSON.stringify(action)) as Record<string, Json>;
    await sendToReplica(replica, relayTopic, {
      ...{ kind: "call", relay, from: bootId(), conversationId, action: sent },
      ...{ privateHosts: [...privateHosts], approvedHosts: [...approvedHosts], uploads: uploads.map(packFile) },
    });
    return await ended.promise;
  } finally {
    clearInterval(look);
    signal.removeEventListener("abort", stop);
    waiting().delete(relay);
  }
}

const codeOf = (code: string): ErrorCode => (code in errorStatuses ? (code as ErrorCode) : "unavailable");

/** Performs the actions that other replicas relay to the browsers here. */
export function serveRelayedActions(): void {
  onReplicaMessage(relayTopic, (body) => {
    const message = RelayMessage.parse(body);
    if (message.kind === "call") void serve(message);
    else if (message.kind === "cancel") serving().get(message.relay)?.abort(new Error("the call was stopped"));
    else waiting().get(message.relay)?.(message);
  });
}

const packFile = ({ bytes, ...file }: UploadFile) => ({ ...file, base64: Buffer.from(bytes).toString("base64") });
const unpackFile = ({ base64, ...file }: ReturnType<typeof packFile>): UploadFile => ({ ...file, bytes: Buffer.from(base64, "base64") });

async function serve({ relay, from, action, uploads, ...asked }: Extract<RelayMessage, { kind: "call" }>): Promise<void> {
  const abort = new AbortController();
  serving().set(relay, abort);
  const answer = await performHere(BrowserAction.parse(action), {
    ...asked,
    uploads: uploads.map(unpackFile),
    signal: abort.signal,
  })
    .then((result): RelayMessage => ({ kind: "done", relay, ...packResult(result) }))
    .catch(
      (error): RelayMessage => ({
        kind: "failed",
        relay,
        code: isAppError(error) ? error.code : "unavailable",
        message: toErrorMessage(error),
      }),
    );
  serving().delete(relay);
  await sendToReplica(from, relayTopic, answer).catch((error) =>
    log().warn({ err: error }, "a relayed browser action could not be answered"),
  );
}

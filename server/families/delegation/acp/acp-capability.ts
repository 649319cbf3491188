import "server-only";
import path from "node:path";
import type { RequestPermissionRequest } from "@agentclientprotocol/sdk";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import { TurnDraft } from "@/contracts/turns/turns";
import type { Authorized } from "@/server/auth/actor";
import { type CallScope, defineCapability } from "@/server/capabilities/define-capability";
import { AppError } from "@/server/platform/errors";
import { log } from "@/server/platform/log";
import { openChildConversation } from "@/server/runs/starts/start-child-run";
import { cancelTurn } from "@/server/turns/cancel-turn";
import { pausableTimeout } from "@/server/turns/execute/pausable-timeout";
import { isFinished, waitForTurn } from "@/server/turns/read/wait-for-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { pausedSentence, readDelegationSettings } from "../settings";
import { startAcpProgram } from "./acp-program";
import { type AcpAnswer, promptAcpAgent } from "./acp-session";

/** The tool whose calls are the permission requests of agent programs. */
export const permissionTool = "acp_permission";

const waitSeconds = 60;
const neverAborted = new AbortController().signal;

type Prompt = { agent: string; task: string; cwd: string; signal: AbortSignal; timeoutMs: number; progress: (line: string) => void };

/** Agent programs that an admin allowed, in the sandbox of the conversation. */
export type AcpCapability = {
  /** Lets a program answer one prompt. Time in which people decide its requests does not count. @throws AppError */
  prompt: (prompt: Prompt) => Promise<AcpAnswer>;
};

export const acp = defineCapability({
  name: "acp",
  title: "Agent programs that an admin allowed",
  isOfConversation: true,
  create: (scope): AcpCapability => ({ prompt: (prompt) => promptIn(scope, prompt) }),
});

async function promptIn(scope: CallScope, { agent: name, task, cwd, signal, timeoutMs, progress }: Prompt): Promise<AcpAnswer> {
  const { paused, acpAgents } = await readDelegationSettings(scope.workspaceId);
  if (paused) throw new AppError("conflict", pausedSentence);
  const agent = acpAgents.find((known) => known.name === name.trim());
  if (!agent) {
    const names = acpAgents.map((known) => known.name).join(", ");
    throw new AppError(
      "not_found",
      `There is no agent program named "${name}". ${names ? `There are: ${names}.` : "An admin allows them in the delegation settings."}`,
    );
  }
  const { conversationId, actor } = await openChildConversation({
    workspaceId: scope.workspaceId,
    parent: { conversationId: scope.conversationId, callId: scope.callId },
    requestedBy: scope.actor,
    allowedTools: [permissionTool],
    sharesFolder: true,
    label: `agent program ${agent.name}`,
  });
  const program = await startAcpProgram(agent, scope, cwd);
  const over = new AbortController();
  const limit = pausableTimeout(timeoutMs, () =>
    over.abort(new AppError("unavailable", `${agent.name} did not finish within ${timeoutMs / 1_000} seconds. Give it a smaller task.`)),
  );
  const stop = () => over.abort(signal.reason);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    const permit = (request: RequestPermissionRequest) =>
      limit.during(() => decide(actor, { conversationId, folder: program.cwd, agent: agent.name, request, signal: over.signal }));
    return await promptAcpAgent(program, { task, signal: over.signal, progress, permit });
  } finally {
    signal.removeEventListener("abort", stop);
    limit.clear();
    over.abort(new Error("the program has ended"));
    await program.end();
  }
}

type Request = { conversationId: string; folder: string; agent: string; request: RequestPermissionRequest; signal: AbortSignal };

/** Submits a permission request as a call of the program's conversation: guard, inbox and audit treat it like every call. */
async function decide(actor: Authorized<"turns:write">, { conversationId, folder, agent, request, signal }: Request): Promise<boolean> {
  const call = {
    id: request.toolCall.toolCallId.slice(0, 200) || "call",
    name: permissionTool,
    arguments: toArguments(agent, folder, request),
  };
  const draft = TurnDraft.parse({ calls: [call], wait: 10 });
  let turn = await submitTurn(actor, { conversationId, draft, idempotencyKey: null, signal });
  while (!isFinished(turn) && !signal.aborted) turn = await waitForTurn(turn.id, waitSeconds, signal);
  if (!isFinished(turn)) {
    await cancelTurn(actor, turn.id, neverAborted).catch((error) => log().warn({ err: error }, "a permission request was not taken back"));
    return false;
  }
  return turn.calls[0]?.status === "succeeded";
}

const maxChars = 10_000;
const maxPaths = 50;

/** Returns what the guard and people decide on: the kind of work, its command, its files and its address. */
function toArguments(agent: string, folder: string, { toolCall }: RequestPermissionRequest): JsonObject {
  const { title, kind, locations, rawInput } = toolCall;
  const raw = isJsonObject(rawInput as never) ? (rawInput as JsonObject) : {};
  const text = (value: unknown) => (typeof value === "string" ? value.slice(0, maxChars).toWellFormed().replaceAll("\0", "") : "");
  const words = Array.isArray(raw.command) ? raw.command.map(String).join(" ") : text(raw.command) || text(raw.cmd);
  const paths = (locations ?? []).slice(0, maxPaths).map((location) => path.relative(folder, path.resolve(folder, location.path)) || ".");
  return {
    agent,
    title: text(title) || "No title",
    kind: kind ?? "other",
    ...(kind === "execute" ? { command: words || text(title) || "unknown" } : {}),
    ...(paths.length > 0 ? { paths: paths.map(text) } : {}),
    ...(text(raw.url) ? { url: text(raw.url) } : {}),
  };
}

import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { McpAppCall, McpCallResult } from "@/contracts/mcp/mcp-apps";
import { type Call, type Turn, TurnDraft } from "@/contracts/turns/turns";
import { type Actor, type Authorized, requirePermission } from "@/server/auth/actor";
import { AppError } from "@/server/platform/errors";
import { newId } from "@/server/platform/ids";
import { isForApps } from "@/server/tools/app-meta";
import { loadCatalog } from "@/server/tools/catalog";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { submitTurn } from "@/server/turns/submit-turn";
import { presentResult } from "../call/present-result";
import { type CallPlace, findApp, findCall } from "./find-app";

const waitSeconds = 20;

/**
 * Calls a tool for an app, as a turn of the conversation that shows the app: hooks, guard, approvals and audit see it like
 * any other call. Only tools of the app's own server that are visible to apps.
 * @throws AppError `not_found` for any other tool
 */
export async function callFromApp(
  actor: Authorized<"turns:write">,
  { name, arguments: args, signal, ...place }: CallPlace & McpAppCall & { signal: AbortSignal },
): Promise<McpCallResult> {
  const app = await findApp(requirePermission(actor, "turns:read"), place);
  const { tools } = await loadCatalog(actor.workspaceId);
  const asked = tools.find(({ sourceRef, rawName }) => sourceRef === app.serverId && rawName === name);
  if (!asked || !isForApps(asked.meta)) {
    throw new AppError("not_found", `${app.tool.sourceName} has no tool named ${name} that its apps may call.`);
  }
  const draft = TurnDraft.parse({ calls: [{ id: newId(), name: asked.name, arguments: args }], wait: waitSeconds });
  const { conversationId } = app.turn;
  const turn = await submitTurn(actor, { conversationId, draft, idempotencyKey: null, signal, appOf: app.tool.name });
  const [call] = turn.calls;
  if (!call) throw new Error(`Turn ${turn.id} has no call`);
  return toCallResult(actor, turn, call);
}

/** Returns a call's result as MCP has it; waits at most `wait` seconds for its end. @throws AppError `not_found` */
export async function getCallResult(
  actor: Authorized<"turns:read">,
  { wait, signal, ...place }: CallPlace & { wait: number; signal: AbortSignal },
): Promise<McpCallResult> {
  const found = await findCall(actor, place);
  if (wait === 0 || found.call.finishedAt !== null) return toCallResult(actor, found.turn, found.call);
  const isCall = ({ callId }: Call) => callId === place.callId;
  const turn = await waitForTurn(place.turnId, wait, signal, ({ calls }) => calls.some((one) => isCall(one) && one.finishedAt !== null));
  return toCallResult(actor, turn, turn.calls.find(isCall) ?? found.call);
}

async function toCallResult(actor: Actor, turn: Turn, call: Call): Promise<McpCallResult> {
  const { callId, name, status, approvalId, finishedAt } = call;
  const result = finishedAt === null ? null : ((await presentResult({ actor }, turn, call)) as JsonObject);
  return { turnId: turn.id, callId, name, status, approvalId, result };
}

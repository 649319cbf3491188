import "server-only";
import type { KeptContents } from "@/contracts/calls/call-contents";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decisions/decision";
import type { GuardRequest } from "@/server/guard/call/guard-request";
import { touchesFiles } from "@/server/guard/call/tool-facts";
import { decide } from "@/server/guard/decide";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { programPlaceContext } from "@/server/policy/own-tools";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { contentsOf } from "../contents/call-contents";
import { toGuardContext } from "../guard-context";
import type { DecisionContext } from "../turn-context";
import { withActionHash } from "./action-hash";
import { folderFacts } from "./folder-facts";
import { withUnsavedRefusals } from "./remember-refusals";
import { fileKinds } from "./sandbox-openings";

/** Decides a call of a turn on the current state of the files that the call names. */
export async function decideCall(context: DecisionContext, tool: RegisteredTool, args: JsonObject): Promise<Decision> {
  return (await decideWithContents(context, tool, args)).decision;
}

/**
 * Decides a call, and returns the contents of its files where a grant that holds for contents let it pass: they must be
 * the same when the call starts.
 */
export async function decideWithContents(
  context: DecisionContext,
  tool: RegisteredTool,
  args: JsonObject,
): Promise<{ decision: Decision; contents: KeptContents | null }> {
  const { request, contents } = await requestOf(context, tool, args);
  const decision = withActionHash(decide(context.policy, request, sharedNowMs()), tool, args, context.agent.name);
  return { decision, contents: decision.grantId && contents ? contents : null };
}

/** Returns what a call of a turn is decided on: the call, its origin, and the files that it names as they are now. */
export async function requestOf(
  context: DecisionContext,
  tool: RegisteredTool,
  args: JsonObject,
): Promise<{ request: GuardRequest; contents: KeptContents | null | undefined }> {
  const { folder, conversation, agent, turn } = context;
  // The files of another machine cannot be looked at from here.
  if (turn.machine)
    return { request: withRefusals(context, { tool, arguments: args, context: toGuardContext(context) }), contents: undefined };
  const place = await programPlaceContext(tool, args, conversation.id);
  const request: GuardRequest = { tool, arguments: args, context: { ...toGuardContext(context), ...place } };
  // A shared folder may hold files of other conversations, so only files newer than this conversation count as made by it.
  const madeSince = agent.sharedFolder ? conversation.createdAt.getTime() : null;
  const files = touchesFiles(tool)
    ? await folderFacts(request, { folder, conversationId: conversation.id, classify: fileKinds(context.policy), madeSince })
    : undefined;
  const isBound = context.policy.grants.candidatesFor(tool.name, request.context).some(({ contents }) => contents);
  const contents = isBound ? await contentsOf(context, tool, args) : undefined;
  const facts = { ...(files ? { files } : {}), ...(contents === undefined ? {} : { contents }) };
  // The lines above awaited, so calls that were refused meanwhile must count for this decision.
  return { request: withRefusals(context, { ...request, context: { ...request.context, ...facts } }), contents };
}

/** Adds the refusals of the conversation, also those that are not stored yet. */
function withRefusals({ conversation, seenRefusals }: DecisionContext, request: GuardRequest): GuardRequest {
  const refusals = withUnsavedRefusals(conversation.id, conversation.refusals ?? []).filter(({ callId }) => !seenRefusals?.has(callId));
  return { ...request, context: { ...request.context, refusals } };
}

import { sharedNowMs } from "@/server/platform/shared-clock";
import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { Decision } from "@/contracts/decision";
import { decide } from "@/server/guard/decide";
import type { GuardRequest } from "@/server/guard/guard-request";
import type { RegisteredTool } from "@/server/tools/registered-tool";
import { folderFacts } from "./folder-facts";
import { toGuardContext } from "./guard-context";
import { withUnsavedRefusals } from "./remember-refusals";
import { fileKinds } from "./sandbox-openings";
import type { TurnContext } from "./turn-context";

/** Decides a call of a turn on the current state of the files that the call names. */
export async function decideCall(context: TurnContext, tool: RegisteredTool, args: JsonObject): Promise<Decision> {
  const request: GuardRequest = { tool, arguments: args, context: toGuardContext(context) };
  const { folder, conversation, agent } = context;
  // A shared folder may hold files of other conversations, so only files newer than this conversation count as made by it.
  const madeSince = agent.sharedFolder ? conversation.createdAt.getTime() : null;
  const touchesFiles = tool.needs.includes("files") || tool.needs.includes("shell");
  const files = touchesFiles ? await folderFacts(request, { folder, classify: fileKinds(context.policy), madeSince }) : undefined;
  // `folderFacts` awaited, so calls that were refused meanwhile must count for this decision.
  const refusals = withUnsavedRefusals(conversation.id, context.conversation.refusals ?? []);
  return decide(context.policy, { ...request, context: { ...request.context, refusals, ...(files ? { files } : {}) } }, sharedNowMs());
}

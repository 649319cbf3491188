import "server-only";
import { eq } from "drizzle-orm";
import { agents, conversations, workspaces } from "@/db/schema";
import type { ConversationRow } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { type Policy, policyOf } from "@/server/guard/policy";
import { db } from "@/server/platform/database";
import { type ToolScope, toolScopeOf } from "@/server/tools/list-conversation-tools";
import type { TurnRow } from "./present-turn";

/** What the calls of a turn are decided on and run with, as configuration has it at this moment. */
export type TurnContext = {
  turn: TurnRow;
  conversation: ConversationRow;
  scope: ToolScope;
  policy: Policy;
  /** Absolute folder that file and shell tools see as `.` */
  folder: string;
};

/** Tools, rules and clients are looked up anew for each segment; only data survives a suspension. */
export async function turnContextOf(turn: TurnRow): Promise<TurnContext> {
  const [row] = await db()
    .select({ conversation: conversations, agent: agents, configVersion: workspaces.configVersion })
    .from(conversations)
    .innerJoin(agents, eq(conversations.agentId, agents.id))
    .innerJoin(workspaces, eq(conversations.workspaceId, workspaces.id))
    .where(eq(conversations.id, turn.conversationId));
  if (!row) throw new Error("the conversation of this turn is gone");
  const conversation: ConversationRow = { ...row.conversation, agent: row.agent, configVersion: row.configVersion };
  const [scope, policy] = await Promise.all([toolScopeOf(conversation), policyOf(conversation.workspaceId, row.configVersion)]);
  return { turn, conversation, scope, policy, folder: workspaceFolder(conversation) };
}

import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { contacts, conversations, memberships, users } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import type { Subject } from "@/server/platform/extension-points/forget-person";

export type Named = Pick<Subject, "workspaceId" | "kind" | "id">;

/**
 * A person with the conversations that the person opened or wrote in, and those of the agents to which they handed tasks. A
 * conversation holds the texts of everybody in it, so that it goes as a whole.
 */
export function subjectOf({ workspaceId, kind, id }: Named): Subject {
  const own =
    kind === "conversation"
      ? sql`select c.id from conversations c where c.workspace_id = ${workspaceId} and c.id = ${id}::uuid`
      : sql`select c.id from conversations c where c.workspace_id = ${workspaceId} and c.created_by ->> 'id' = ${id}
          union select r.conversation_id from runs r where r.workspace_id = ${workspaceId} and r.requested_by ->> 'id' = ${id}
          union select t.conversation_id from turns t where t.workspace_id = ${workspaceId} and t.requested_by ->> 'id' = ${id}
          union select i.conversation_id from messenger_inbound i
            join conversations c on c.id = i.conversation_id where i.workspace_id = ${workspaceId} and i.contact_id::text = ${id}`;
  const below = sql`with recursive below as (
    ${own} union select child.id from conversations child join below on child.parent_conversation_id = below.id) select id from below`;
  return {
    workspaceId,
    kind,
    id,
    conversations: sql`select id from (${below}) as conversations_of_person`,
    rows: sql`select null::text where false`,
  };
}

/** Returns the name of a person or the title of a conversation. @throws AppError `not_found` */
export async function nameOf({ workspaceId, kind, id }: Named): Promise<string> {
  if (kind === "contact") {
    const [row] = await db()
      .select({ name: contacts.name })
      .from(contacts)
      .where(and(eq(contacts.workspaceId, workspaceId), eq(contacts.id, id)));
    if (row) return row.name;
  } else if (kind === "member") {
    const isMember = and(eq(memberships.userId, users.id), eq(memberships.workspaceId, workspaceId));
    const [row] = await db().select({ name: users.name }).from(users).innerJoin(memberships, isMember).where(eq(users.id, id));
    if (row) return row.name;
  } else {
    const isIt = and(eq(conversations.workspaceId, workspaceId), eq(conversations.id, id));
    const [row] = await db().select({ id: conversations.id }).from(conversations).where(isIt);
    if (row) return row.id;
  }
  throw new AppError("not_found", `There is no such ${kind} in this workspace. It may have been erased already.`);
}

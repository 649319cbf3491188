import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { knowledgePages, users } from "@/db/schema";
import type { Forgetting } from "@/server/platform/extension-points/forget-person";

const place = "logs of knowledge bases";
const none: Record<string, number> = { [place]: 0 };

/** The name of a member in the logs of knowledge bases. Sources and pages belong to the workspace and stay. */
export const knowledgeForgetting: Forgetting = {
  title: "Logs of knowledge bases",
  order: "first",
  count: async () => none,
  read: async function* () {},
  forget: async (tx, { workspaceId, kind, id }) => {
    if (kind !== "member") return none;
    const [person] = await tx.select({ name: users.name }).from(users).where(eq(users.id, id));
    if (!person) return none;
    const named = `(${person.name})`;
    const logs = await tx
      .update(knowledgePages)
      .set({ content: sql`replace(${knowledgePages.content}, ${named}, '(Erased person)')` })
      .where(
        and(
          eq(knowledgePages.workspaceId, workspaceId),
          eq(knowledgePages.slug, "log"),
          eq(knowledgePages.isSystem, true),
          sql`position(${named} in ${knowledgePages.content}) > 0 and ${named} <> '(Erased person)'`,
        ),
      )
      .returning({ id: knowledgePages.id });
    return { [place]: logs.length };
  },
};

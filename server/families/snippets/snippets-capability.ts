import "server-only";
import { and, eq } from "drizzle-orm";
import { snippets as snippetTable } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { db } from "@/server/platform/database";

export const snippetTexts = defineCapability({
  name: "snippets",
  title: "Snippets of the workspace",
  isOfConversation: false,
  create: ({ workspaceId }) => ({
    /** Returns the text of a snippet; null when there is none of that name. */
    find: async (name: string): Promise<string | null> => {
      const [row] = await db()
        .select()
        .from(snippetTable)
        .where(and(eq(snippetTable.workspaceId, workspaceId), eq(snippetTable.name, name)));
      return row?.text ?? null;
    },
  }),
});

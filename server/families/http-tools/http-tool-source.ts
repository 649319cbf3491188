import "server-only";
import { eq } from "drizzle-orm";
import { authProfiles, httpTools, tools } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import type { StoredTool, StoredToolSource } from "@/server/tools/tool-sources";
import { makeHttpTool } from "./make-http-tool";

/** HTTP tools as a source: their rows hold all that a call needs. */
export const httpToolSource: StoredToolSource = { source: "http", load: loadHttpTools };

async function loadHttpTools(workspaceId: string): Promise<ReadonlyMap<string, StoredTool>> {
  const rows = await db()
    .select({ tool: tools, definition: httpTools, profile: authProfiles })
    .from(httpTools)
    .innerJoin(tools, eq(tools.id, httpTools.toolId))
    .leftJoin(authProfiles, eq(authProfiles.id, httpTools.authProfileId))
    .where(eq(httpTools.workspaceId, workspaceId));
  return new Map(
    rows.flatMap(({ tool, definition, profile }) => {
      try {
        return [[tool.id, { tool: makeHttpTool(tool, definition.request, profile), sourceName: definition.api }]];
      } catch (error) {
        // One row that this version does not understand must not stop the calls of all other tools.
        log().error({ err: error, tool: tool.name }, "an HTTP tool could not be loaded; save it again");
        return [];
      }
    }),
  );
}

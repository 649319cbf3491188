import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { agents } from "@/db/schema";
import { AppError } from "@/server/platform/errors";

/**
 * Checks that the agents to which an agent may hand tasks exist.
 * @param had the present choice, which may stay although one of its agents was removed
 * @throws AppError `invalid` with the path of each unknown agent
 */
export async function assertDelegates(
  tx: Db,
  workspaceId: string,
  delegates: readonly string[] | null | undefined,
  had: readonly string[] | null = null,
): Promise<void> {
  const asked = new Set(delegates);
  for (const id of had ?? []) asked.delete(id);
  if (!delegates || asked.size === 0) return;
  const rows = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), inArray(agents.id, [...asked])));
  for (const { id } of rows) asked.delete(id);
  const errors = delegates.flatMap((id, index) =>
    asked.has(id) ? [{ path: `delegates.${index}`, message: "there is no such agent" }] : [],
  );
  if (errors.length === 0) return;
  throw new AppError("invalid", "An agent can hand tasks only to agents of its workspace. GET /api/v1/agents lists them.", { errors });
}

import "server-only";
import { eq, sql } from "drizzle-orm";
import { conversationSkills, skills } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { db } from "@/server/platform/database/database";
import type { KnownSkill } from "./skill-state";

const dayMs = 86_400_000;

type Use = { conversationId: string; skill: Pick<KnownSkill, "row">; isLoaded: boolean };

/** Counts a use of a skill. The first one of a day renews the caches, because the curator looks at the last use. */
export async function noteUse({ conversationId, skill: { row }, isLoaded }: Use): Promise<void> {
  const now = new Date();
  await db().transaction(async (tx) => {
    const [changed] = await tx
      .update(skills)
      .set({ uses: sql`${skills.uses} + 1`, lastUsedAt: now, updatedAt: sql`${skills.updatedAt}` })
      .where(eq(skills.id, row.id))
      .returning({ id: skills.id });
    if (!changed) return;
    await tx
      .insert(conversationSkills)
      .values({ conversationId, skillId: row.id, isLoaded, lastUsedAt: now })
      .onConflictDoUpdate({
        target: [conversationSkills.conversationId, conversationSkills.skillId],
        set: { uses: sql`${conversationSkills.uses} + 1`, lastUsedAt: now, isLoaded: sql`${conversationSkills.isLoaded} or ${isLoaded}` },
      });
    if (row.kind === "dynamic" && (row.lastUsedAt?.getTime() ?? 0) < now.getTime() - dayMs) await bumpConfigVersion(tx, row.workspaceId);
  });
}

/** Lists the names of the skills that a conversation has loaded, in order. */
export async function listLoaded(conversationId: string): Promise<string[]> {
  const rows = await db()
    .select({ name: skills.name, isLoaded: conversationSkills.isLoaded })
    .from(conversationSkills)
    .innerJoin(skills, eq(skills.id, conversationSkills.skillId))
    .where(eq(conversationSkills.conversationId, conversationId))
    .orderBy(skills.name);
  return rows.filter(({ isLoaded }) => isLoaded).map(({ name }) => name);
}

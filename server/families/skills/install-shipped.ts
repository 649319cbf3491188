import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { skills } from "@/db/schema";
import { systemActor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { processWide } from "@/server/platform/process-wide";
import { readManifest } from "./format/manifest";
import { digestOf } from "./packages/file-digests";
import { saveSkill } from "./save-skill";
import { shippedSkills } from "./shipped-skills";

/** Installs the skills that come with this version, once a process and workspace. A skill of another kind keeps its name. */
export async function installShipped(workspaceId: string): Promise<void> {
  const done = processWide("skills.shippedTo", () => new Set<string>());
  if (done.has(workspaceId)) return;
  const shipped = await shippedSkills();
  for (const { files } of shipped) {
    const { name } = readManifest(new TextDecoder().decode(files.get("SKILL.md")));
    await db().transaction(async (tx) => {
      const byName = and(eq(skills.workspaceId, workspaceId), eq(skills.name, name));
      const [known] = await tx.select({ kind: skills.kind, note: skills.sourceNote }).from(skills).where(byName);
      const note = digestOf(files).slice(0, 12);
      if (known && (known.kind !== "builtin" || known.note === note)) return;
      // The lock serialises replicas that start together.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`skills:${workspaceId}`}, 0))`);
      const [meanwhile] = await tx.select({ note: skills.sourceNote }).from(skills).where(byName);
      if (meanwhile?.note === note) return;
      const actor = toActorRef(systemActor);
      await saveSkill(tx, {
        workspaceId,
        files,
        kind: "builtin",
        source: "shipped",
        sourceNote: note,
        actor,
        requestId: null,
        isOurs: true,
        replace: true,
      });
    });
  }
  done.add(workspaceId);
}

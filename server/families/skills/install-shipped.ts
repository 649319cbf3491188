import "server-only";
import { and, eq, sql } from "drizzle-orm";
import { skills, workspaces } from "@/db/schema";
import { systemActor, toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { processWide } from "@/server/platform/process-wide";
import type { BootStep } from "../define-family";
import { readManifest } from "./format/manifest";
import { digestOf } from "./packages/file-digests";
import { saveSkill } from "./save-skill";
import { shippedSkills } from "./shipped-skills";

/**
 * Installs the skills that come with this version, once a process and workspace. A skill of another kind keeps its name. Callers of one
 * process share one installation: each would hold a connection while it waits for the lock, and the installation needs one.
 */
export function installShipped(workspaceId: string): Promise<void> {
  const begun = processWide("skills.shippedTo", () => new Map<string, Promise<void>>());
  const known = begun.get(workspaceId);
  if (known) return known;
  const installing = install(workspaceId)
    .catch((error) => {
      begun.delete(workspaceId);
      throw error;
    })
    .finally(() => {
      installations().count += 1;
    });
  begun.set(workspaceId, installing);
  return installing;
}

const installations = () => processWide("skills.installations", () => ({ count: 0 }));

/** Returns how often this process has installed them: what was read of skills before the last time is old. */
export const countInstallations = (): number => installations().count;

/** Installs them for every workspace at the start, because a call that holds locks must not wait for an installation. */
export const installShippedEverywhere: BootStep = {
  title: "the skills that come with Handrail",
  start: async () => {
    for (const { id } of await db().select({ id: workspaces.id }).from(workspaces)) {
      await installShipped(id).catch((error) => log().error({ err: error, workspaceId: id }, "the skills that come with Handrail"));
    }
    return async () => {};
  },
};

async function install(workspaceId: string): Promise<void> {
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
}

import "server-only";
import { eq } from "drizzle-orm";
import type { DelegationSettings, DelegationSettingsPatch } from "@/contracts/delegation";
import { delegationSettings } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/crypto";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";

type Row = typeof delegationSettings.$inferSelect;
type Values = Pick<Row, "paused" | "acpAgents" | "version"> & { updatedAt: Date | null };

const defaults: Values = { paused: false, acpAgents: [], version: 0, updatedAt: null };

/** Sentence for people and models while no task may be handed on. */
export const pausedSentence =
  "Handing tasks to agents is paused in this workspace. Do the task yourself, or ask an admin to go on in Settings → Agents at work.";

/** Reads the settings of a workspace from its row. */
export async function readDelegationSettings(workspaceId: string): Promise<Values> {
  const [row] = await db().select().from(delegationSettings).where(eq(delegationSettings.workspaceId, workspaceId));
  return row ?? defaults;
}

export async function getDelegationSettings(actor: Authorized<"tools:read">): Promise<DelegationSettings> {
  return present(await readDelegationSettings(actor.workspaceId));
}

/**
 * Changes the given settings.
 * @param version from If-Match
 * @throws AppError `stale_version`; `forbidden` for agent programs without the permission to run programs
 */
export async function updateDelegationSettings(
  actor: Authorized<"agents:write">,
  patch: DelegationSettingsPatch,
  version: number | null,
): Promise<DelegationSettings> {
  const { workspaceId } = actor;
  return db().transaction(async (tx) => {
    // Inserts the row first, because a missing row cannot be locked.
    await tx.insert(delegationSettings).values({ workspaceId }).onConflictDoNothing();
    const [before] = await tx.select().from(delegationSettings).where(eq(delegationSettings.workspaceId, workspaceId)).for("update");
    if (!before) throw new Error("the delegation settings have no row");
    if (version !== null && version !== before.version) {
      throw new AppError("stale_version", "Somebody changed these settings meanwhile. Reload the settings, then repeat your change.");
    }
    const { paused = before.paused, acpAgents = before.acpAgents } = patch;
    if (canonicalJson(acpAgents) !== canonicalJson(before.acpAgents)) requireRun(actor);
    const [saved] = await tx
      .update(delegationSettings)
      .set({ paused, acpAgents, version: before.version + 1 })
      .where(eq(delegationSettings.workspaceId, workspaceId))
      .returning();
    if (!saved) throw new Error("the delegation settings were not saved");
    await recordConfigChange(tx, {
      workspaceId,
      event: "delegation_settings.updated",
      actor: toActorRef(actor),
      subject: null,
      data: { new: inAudit(saved), old: inAudit(before) },
      requestId: actor.requestId,
    });
    return present(saved);
  });
}

function requireRun(actor: Authorized<"agents:write">): void {
  if (actor.permissions.has("mcp:run")) return;
  const who = actor.type === "api_key" ? `the API key "${actor.name}" does not have` : "your role does not include";
  throw new AppError(
    "forbidden",
    `Agent programs run on Handrail's machine, so changing them needs mcp:run, and ${who} it. Ask an admin of the workspace.`,
  );
}

const inAudit = ({ paused, acpAgents }: Values) => ({ paused, acpAgents });

function present({ paused, acpAgents, version, updatedAt }: Values): DelegationSettings {
  return { paused, acpAgents, version, updatedAt: version === 0 ? null : (updatedAt?.toISOString() ?? null) };
}

/** Returns why no task may be handed on; null while it may. */
export async function whyPaused(workspaceId: string): Promise<string | null> {
  return (await readDelegationSettings(workspaceId)).paused ? pausedSentence : null;
}

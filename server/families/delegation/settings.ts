import "server-only";
import type { DelegationSettings, DelegationSettingsPatch } from "@/contracts/agents/delegation";
import { delegationSettings } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { canonicalJson } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { defineSettings } from "@/server/resources/define-settings";

type Row = typeof delegationSettings.$inferSelect;
type Values = Pick<Row, "paused" | "acpAgents" | "version"> & { updatedAt: Date | null };

const defaults: Values = { paused: false, acpAgents: [], version: 0, updatedAt: null };

const settings = defineSettings({ table: delegationSettings, event: "delegation_settings.updated", inAudit: (row) => inAudit(row) });

/** Sentence for people and models while no task may be handed on. */
export const pausedSentence =
  "Handing tasks to agents is paused in this workspace. Do the task yourself, or ask an admin to go on in Settings → Agents at work.";

/** Reads the settings of a workspace from its row. */
export async function readDelegationSettings(workspaceId: string): Promise<Values> {
  return (await settings.find(workspaceId)) ?? defaults;
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
  const saved = await settings.change(actor, version, (before) => {
    const { paused = before.paused, acpAgents = before.acpAgents } = patch;
    if (canonicalJson(acpAgents) !== canonicalJson(before.acpAgents)) requireRunPermission(actor);
    return { set: { paused, acpAgents } };
  });
  return present(saved);
}

function requireRunPermission(actor: Authorized<"agents:write">): void {
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

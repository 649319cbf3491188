import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "@/db/client";
import { absentToolSettings, type ToolSettings } from "@/db/schema";
import { canonicalJson } from "@/server/platform/crypto";
import { inBatches } from "./in-batches";

type ServerTools = { workspaceId: string; mcpServerId: string };

const untouched: ToolSettings = {
  enabled: true,
  disclosureTier: null,
  timeoutMs: null,
  descriptionOverride: null,
  effectOverride: null,
  returnDirect: false,
  surfaceOverride: null,
  requiredTrust: null,
};
const settingNames = Object.keys(untouched) as (keyof ToolSettings)[];

function settingsOf(row: ToolSettings): ToolSettings {
  return Object.fromEntries(settingNames.map((name) => [name, row[name]])) as ToolSettings;
}

/** Stores admins' settings of tools that their server no longer lists, for the day the server lists them again. */
export async function keepSettings(tx: Db, source: ServerTools, removed: readonly (ToolSettings & { name: string })[]): Promise<void> {
  const set = removed
    .map((row) => ({ ...source, name: row.name, settings: settingsOf(row) }))
    .filter(({ settings }) => canonicalJson(settings) !== canonicalJson(untouched));
  for (const batch of inBatches(set)) {
    // Only a restored backup can have left a row of this name; the newer settings win.
    await tx.delete(absentToolSettings).where(
      and(
        ofServer(source),
        inArray(
          absentToolSettings.name,
          batch.map(({ name }) => name),
        ),
      ),
    );
    await tx.insert(absentToolSettings).values(batch);
  }
}

/** Removes and returns, by name, the stored settings of tools that are listed again. */
export async function takeSettings(tx: Db, source: ServerTools, names: readonly string[]): Promise<Map<string, ToolSettings>> {
  const found = new Map<string, ToolSettings>();
  for (const batch of inBatches(names)) {
    const rows = await tx
      .delete(absentToolSettings)
      .where(and(ofServer(source), inArray(absentToolSettings.name, batch)))
      .returning({ name: absentToolSettings.name, settings: absentToolSettings.settings });
    for (const { name, settings } of rows) found.set(name, { ...untouched, ...settings });
  }
  return found;
}

function ofServer({ workspaceId, mcpServerId }: ServerTools) {
  return and(eq(absentToolSettings.workspaceId, workspaceId), eq(absentToolSettings.mcpServerId, mcpServerId));
}

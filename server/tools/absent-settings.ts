import "server-only";
import { and, desc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import { absentToolSettings, type KeptDefinition, type ToolSettings } from "@/db/schema";
import { canonicalJson } from "@/server/platform/crypto";
import { inBatches } from "./in-batches";

type ServerTools = { workspaceId: string; mcpServerId: string };

const untouched: ToolSettings = {
  enabled: true,
  disclosureTier: null,
  timeoutMs: null,
  resultLimit: null,
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

/** Rows without an admin's setting that are kept for one server; a server could list new names for ever. */
const maxUntouched = 10_000;

type Removed = ToolSettings & { name: string; pin: KeptDefinition | null };

/** Stores the pins and admins' settings of tools that their server no longer lists, for the day the server lists them again. */
export async function keepSettings(tx: Db, source: ServerTools, removed: readonly Removed[]): Promise<void> {
  const set = removed
    .map((row) => ({ ...source, name: row.name, settings: settingsOf(row), pin: row.pin }))
    .filter(({ settings, pin }) => pin !== null || canonicalJson(settings) !== canonicalJson(untouched));
  if (set.length === 0) return;
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
  const { id, settings } = absentToolSettings;
  const oldest = tx
    .select({ id })
    .from(absentToolSettings)
    .where(and(ofServer(source), sql`${settings} = ${JSON.stringify(untouched)}::jsonb`))
    .orderBy(desc(id))
    .offset(maxUntouched);
  await tx.delete(absentToolSettings).where(inArray(id, oldest));
}

export type AbsentTool = { settings: ToolSettings; pin: KeptDefinition | null };

/** Removes and returns, by name, the stored settings and pins of tools that are listed again. */
export async function takeSettings(tx: Db, source: ServerTools, names: readonly string[]): Promise<Map<string, AbsentTool>> {
  const found = new Map<string, AbsentTool>();
  for (const batch of inBatches(names)) {
    const rows = await tx
      .delete(absentToolSettings)
      .where(and(ofServer(source), inArray(absentToolSettings.name, batch)))
      .returning({ name: absentToolSettings.name, settings: absentToolSettings.settings, pin: absentToolSettings.pin });
    for (const { name, settings, pin } of rows) found.set(name, { settings: { ...untouched, ...settings }, pin });
  }
  return found;
}

/** Returns the absent tools of a server that have a pin, by name. */
export async function listAbsentPins(tx: Pick<Db, "select">, source: ServerTools): Promise<{ name: string; pin: KeptDefinition }[]> {
  const { name, pin } = absentToolSettings;
  const rows = await tx
    .select({ name, pin })
    .from(absentToolSettings)
    .where(and(ofServer(source), isNotNull(pin)))
    .orderBy(name);
  return rows.flatMap((row) => (row.pin ? [{ name: row.name, pin: row.pin }] : []));
}

/** Returns name and content of a server's absent tools; the content is null without a pin. */
export async function listAbsentContents(tx: Db, source: ServerTools): Promise<{ name: string; contentHash: string | null }[]> {
  const { name, pin } = absentToolSettings;
  const contentHash = sql<string | null>`${pin} ->> 'contentHash'`;
  return tx.select({ name, contentHash }).from(absentToolSettings).where(ofServer(source)).orderBy(name);
}

function ofServer({ workspaceId, mcpServerId }: ServerTools) {
  return and(eq(absentToolSettings.workspaceId, workspaceId), eq(absentToolSettings.mcpServerId, mcpServerId));
}

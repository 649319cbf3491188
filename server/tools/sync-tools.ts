import "server-only";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { and, eq, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import type { Db } from "@/db/client";
import { tools, workspaces } from "@/db/schema";
import { bumpConfigVersion } from "@/server/audit/record-config-change";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { log } from "@/server/platform/log";
import { type AbsentTool, keepSettings, takeSettings } from "./absent-settings";
import { builtinTools } from "./builtin-tools";
import type { AnyTool } from "./define-tool";
import { inBatches } from "./in-batches";
import { readPin } from "./pins/pin-columns";
import type { PinPlan } from "./pins/plan-pin";
import { planPins } from "./pins/plan-pins";
import { savePinPlans } from "./pins/save-pin-plans";
import { providerTools } from "./provider/provider-tools";

type Source = { workspaceId: string; mcpServerId: string | null };
type Listed = Omit<typeof tools.$inferInsert, "id" | "createdAt" | "updatedAt" | "version">;

/** Hashes the input schema, by which a change of a tool's call shape, not of its wording, is noticed. */
export function computeSchemaHash(inputSchema: AnyTool["inputSchema"]): string {
  return sha256(canonicalJson(inputSchema));
}

/**
 * Upserts the rows of one source. Fields from the source are refreshed. Fields set by admins (enabled, tier, timeout,
 * description, effect) are kept, also for MCP tools that vanish and come back. Rows that are no longer listed are
 * removed. A definition of an MCP tool that differs from its pin becomes a question and leaves the row's definition as it is.
 * @returns the names that changed
 */
export async function syncTools(
  tx: Db,
  source: Source,
  listed: readonly AnyTool[],
): Promise<{ added: string[]; changed: string[]; removed: string[] }> {
  const { workspaceId, mcpServerId } = source;
  const known = await tx.select().from(tools).where(ofSource(source));
  const knownByName = new Map(known.map((row) => [row.name, row]));
  const listedNames = new Set(listed.map(({ name }) => name));
  const removed = known.filter((row) => !listedNames.has(row.name));
  const server = mcpServerId ? { workspaceId, mcpServerId } : null;
  const newNames = [...listedNames].filter((name) => !knownByName.has(name)).sort();
  const absent: Map<string, AbsentTool> = server ? await takeSettings(tx, server, newNames) : new Map();
  const plans: Map<string, PinPlan> = server ? await planPins(tx, server, { listed, known: knownByName, absent }) : new Map();
  if (server) await savePinPlans(tx, server, plans, { known: knownByName, removed });

  const wanted = new Set<string>();
  const added: Listed[] = [];
  const changed: Listed[] = [];
  for (const batch of inBatches(listed)) {
    for (const row of batch.map((tool) => ({ ...listedRow(source, tool), ...plans.get(tool.name)?.columns }))) {
      const before = knownByName.get(row.name);
      if (wanted.has(row.name)) continue;
      wanted.add(row.name);
      if (!before) added.push(row);
      else if (isOther(row, before)) changed.push(row);
    }
    await yieldToEventLoop();
  }

  const offAtFirst = new Set(listed.filter(({ disabledAtFirst }) => disabledAtFirst).map(({ name }) => name));
  const taken = await namesOfOthers(tx, source, namesOf(added));
  for (const batch of inBatches(added.filter(({ name }) => !taken.has(name)))) {
    await tx.insert(tools).values(batch.map((row) => ({ ...row, enabled: !offAtFirst.has(row.name), ...absent.get(row.name)?.settings })));
  }
  for (const batch of inBatches(changed)) {
    const [first] = batch;
    const set = { ...(first && refreshed(first)), version: sql`${tools.version} + 1` };
    await tx
      .insert(tools)
      .values(batch)
      .onConflictDoUpdate({ target: [tools.workspaceId, tools.name], set, setWhere: ofSource(source) });
  }
  if (server) {
    const kept = removed.map((row) => ({ ...row, pin: readPin(row) }));
    await keepSettings(tx, server, kept);
  }
  for (const batch of inBatches(removed.map(({ id }) => id))) await tx.delete(tools).where(inArray(tools.id, batch));
  const inserted = namesOf(added).filter((name) => !taken.has(name));
  if (inserted.length + changed.length + removed.length > 0) await bumpConfigVersion(tx, workspaceId);
  return { added: inserted, changed: namesOf(changed), removed: namesOf(removed) };
}

/** Finds names that tools of other sources have: an HTTP tool keeps its name when a new version ships a tool of that name. */
async function namesOfOthers(tx: Db, source: Source, names: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (const batch of inBatches(names)) {
    const rows = await tx
      .select({ name: tools.name })
      .from(tools)
      .where(and(eq(tools.workspaceId, source.workspaceId), inArray(tools.name, batch)));
    for (const { name } of rows) taken.add(name);
  }
  if (taken.size > 0)
    log().warn({ workspaceId: source.workspaceId, names: [...taken].slice(0, 20) }, "tools are missing because others have their names");
  return taken;
}

function isOther(row: Listed, before: typeof tools.$inferSelect): boolean {
  return Object.entries(row).some(([column, value]) => canonicalJson(before[column as keyof typeof before]) !== canonicalJson(value));
}

function namesOf(rows: readonly { name: string }[]): string[] {
  return rows.map(({ name }) => name).sort();
}

/** Records whether a source's tools are callable now. The rows stay, so that listings do not change while a server restarts. */
export async function markAvailability(
  tx: Db,
  source: { workspaceId: string; mcpServerId: string },
  availability: "available" | "unavailable" | "stale",
  reason: string | null,
): Promise<void> {
  await tx.update(tools).set({ availability, availabilityReason: reason }).where(ofSource(source));
}

/** Updates the rows of the builtin tools of every workspace to this version of the product. */
export async function syncBuiltinTools(): Promise<void> {
  const all = await db().select({ id: workspaces.id }).from(workspaces);
  for (const { id } of all) {
    await db().transaction(async (tx) => {
      // The lock serialises replicas that start together.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`sync-tools:${id}`}, 0))`);
      await syncTools(tx, { workspaceId: id, mcpServerId: null }, [...builtinTools(), ...providerTools]);
    });
  }
}

function ofSource({ workspaceId, mcpServerId }: Source) {
  const shipped = and(isNull(tools.mcpServerId), inArray(tools.source, ["builtin", "provider"]));
  return and(eq(tools.workspaceId, workspaceId), mcpServerId ? eq(tools.mcpServerId, mcpServerId) : shipped);
}

/** Converts a tool to the columns that its source decides. */
export function listedRow({ workspaceId, mcpServerId }: Source, tool: Omit<AnyTool, "run">): Listed {
  return {
    workspaceId,
    mcpServerId,
    name: tool.name,
    title: tool.title,
    description: tool.description,
    source: tool.source,
    rawName: tool.rawName,
    family: tool.family,
    effect: tool.effect,
    concurrencySafe: tool.concurrencySafe,
    idempotent: tool.idempotent,
    backgroundable: tool.backgroundable,
    mode: tool.mode,
    dangerous: tool.dangerous,
    needs: [...tool.needs],
    aliases: [...tool.aliases],
    primaryArgument: tool.primaryArgument,
    inputSchema: tool.inputSchema,
    schemaDialect: null,
    schemaHash: computeSchemaHash(tool.inputSchema),
    outputSchema: null,
    pinHash: null,
    contentHash: null,
    annotations: null,
    meta: tool.meta ?? null,
    findings: [],
    quarantine: null,
    changeId: null,
    defaultTier: tool.defaultTier,
    defaultTimeoutMs: tool.timeoutMs,
    availability: tool.unavailableReason ? "unavailable" : "available",
    availabilityReason: tool.unavailableReason ?? null,
  };
}

const identifying = new Set(["workspaceId", "mcpServerId", "name"]);

/** Returns every column from the source, set to the value of the rejected insert (`excluded`). */
function refreshed(row: Listed): Record<string, SQL> {
  const columns = Object.keys(row).filter((column) => !identifying.has(column));
  return Object.fromEntries(columns.map((column) => [column, sql.raw(`excluded.${toSnakeCase(column)}`)]));
}

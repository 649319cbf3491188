import "server-only";
import { and, eq } from "drizzle-orm";
import type { McpServerDraft, McpTestResult } from "@/contracts/mcp-servers";
import { mcpServers } from "@/db/schema";
import type { Holder } from "@/server/auth/actor";
import { db } from "@/server/platform/database";
import { cleanLine } from "./clean-text";
import { explainFailure } from "./explain-failure";
import { findServer } from "./find-server";
import { type Opening, openSession } from "./open-session";
import { columnsOf, type SettingsColumns } from "./save-server";
import { type ServerSettings, settingsOf } from "./server-settings";

const maxDescriptionCharacters = 300;

/** Opens a second connection to a saved server, lists its tools and closes it. The first one notices nothing. */
export async function testServer(actor: Holder<"mcp:write">, id: string, signal: AbortSignal): Promise<McpTestResult> {
  return tryOnce(await findServer(db(), actor.workspaceId, id), signal);
}

/**
 * Tests settings that are not saved. Masked secrets stand for those of the saved server with the same alias, so that a
 * form can be tested while it is edited.
 */
export async function testDraft(actor: Holder<"mcp:write">, draft: McpServerDraft, signal: AbortSignal): Promise<McpTestResult> {
  const [saved] = await db()
    .select()
    .from(mcpServers)
    .where(and(eq(mcpServers.workspaceId, actor.workspaceId), eq(mcpServers.alias, draft.alias)));
  return tryOnce(columnsOf(draft, saved ?? null), signal);
}

async function tryOnce(columns: SettingsColumns, signal: AbortSignal): Promise<McpTestResult> {
  let settings: ServerSettings;
  try {
    settings = settingsOf(columns);
  } catch (error) {
    return { ok: false, latencyMs: 0, tools: [], error: explainFailure(error), stderr: null };
  }
  const opening = await openSession(settings, { signal });
  const result = testResultOf(opening);
  if (opening.ok) await opening.session.close();
  return result;
}

/** How an attempt to connect went, in the words of the API. */
export function testResultOf(opening: Opening): McpTestResult {
  if (!opening.ok) return { ok: false, latencyMs: opening.latencyMs, tools: [], error: opening.error, stderr: opening.stderr };
  const { session } = opening;
  const tools = session.tools.map(({ name, description }) => ({
    name: cleanLine(name, maxDescriptionCharacters),
    description: cleanLine(description ?? "", maxDescriptionCharacters),
  }));
  return { ok: true, latencyMs: session.latencyMs, tools, error: null, stderr: session.stderr() };
}

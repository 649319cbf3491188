import "server-only";
import type { McpTestResult } from "@/contracts/mcp/mcp-servers";
import { explainFailure } from "../session/explain-failure";
import { type Opening, openSession } from "../session/open-session";
import type { SettingsColumns } from "../settings/server-columns";
import { openSettings, type ServerSettings } from "../settings/server-settings";
import { cleanLine } from "../text/clean-text";
import { countHints } from "./count-hints";

const maxDescriptionCharacters = 300;

/** Opens a connection under these settings, lists the tools and closes the connection. Failures are part of the result. */
export async function trySettings(
  columns: SettingsColumns & { id?: string; workspaceId?: string },
  signal: AbortSignal,
): Promise<McpTestResult> {
  let settings: ServerSettings;
  try {
    settings = openSettings(columns);
  } catch (error) {
    return { ok: false, latencyMs: 0, tools: [], hints: countHints([]), notes: [], error: explainFailure(error), stderr: null, cures: [] };
  }
  const opening = await openSession(settings, { signal });
  const result = toTestResult(opening);
  if (opening.ok) await opening.session.close();
  return result;
}

/** Converts the outcome of an attempt to the API's form. */
export function toTestResult(opening: Opening): McpTestResult {
  if (!opening.ok) {
    const { latencyMs, error, stderr, cures = [] } = opening;
    return { ok: false, latencyMs, tools: [], hints: countHints([]), notes: [], error, stderr, cures };
  }
  const { session } = opening;
  const tools = session.tools.map(({ name, description }) => ({
    name: cleanLine(name, maxDescriptionCharacters),
    description: cleanLine(description ?? "", maxDescriptionCharacters),
  }));
  const hints = countHints(session.tools);
  return { ok: true, latencyMs: session.latencyMs, tools, hints, notes: session.notes, error: null, stderr: session.stderr(), cures: [] };
}

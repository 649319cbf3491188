import "server-only";
import type { McpTestResult } from "@/contracts/mcp-servers";
import { cleanLine } from "./clean-text";
import { explainFailure } from "./explain-failure";
import { type Opening, openSession } from "./open-session";
import type { SettingsColumns } from "./server-columns";
import { type ServerSettings, settingsOf } from "./server-settings";

const maxDescriptionCharacters = 300;

/** Opens a connection under these settings, lists the tools and closes it. Whatever goes wrong is part of the answer. */
export async function trySettings(columns: SettingsColumns, signal: AbortSignal): Promise<McpTestResult> {
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

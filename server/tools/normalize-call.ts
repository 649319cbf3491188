import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { GrantDraft } from "@/contracts/guard/grants";
import { loadCatalog } from "./catalog";
import { liveTool } from "./live-tools";

type Call = { tool: string; arguments: JsonObject };

/**
 * Returns a call in the form in which the guard sees real calls: under the tool's own name, with arguments parsed by the
 * tool's schema. Arguments that do not fit the schema stay unchanged.
 */
export async function normalizeCall(workspaceId: string, call: Call): Promise<Call> {
  const registered = (await loadCatalog(workspaceId)).find(call.tool.trim());
  if (!registered) return call;
  const parsed = liveTool(workspaceId, registered)?.parse(call.arguments, call.tool);
  return { tool: registered.name, arguments: parsed?.ok ? parsed.value : call.arguments };
}

/** Returns a grant in the form in which calls are decided: under the tool's own name, with parsed arguments. */
export async function normalizeGrant(workspaceId: string, draft: GrantDraft): Promise<GrantDraft> {
  const { match } = draft;
  const args = match.kind === "exact" ? match.arguments : {};
  const { tool, arguments: parsed } = await normalizeCall(workspaceId, { tool: draft.tool, arguments: args });
  return { ...draft, tool, match: match.kind === "exact" ? { ...match, arguments: parsed } : match };
}

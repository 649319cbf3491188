import "server-only";
import type { JsonObject } from "@/contracts/common";
import type { GrantDraft } from "@/contracts/grants";
import { catalogOf } from "./catalog";
import { liveTool } from "./live-tools";

type Call = { tool: string; arguments: JsonObject };

/**
 * A call in the form in which the guard sees it when it is made: under its tool's own name, with the arguments that the
 * tool's schema makes of them. What no schema accepts stays as it was asked about.
 */
export async function asDecided(workspaceId: string, call: Call): Promise<Call> {
  const registered = (await catalogOf(workspaceId)).find(call.tool.trim());
  if (!registered) return call;
  const parsed = liveTool(workspaceId, registered)?.parse(call.arguments);
  return { tool: registered.name, arguments: parsed?.ok ? parsed.value : call.arguments };
}

/** A grant in the form in which calls are decided: under its tool's own name, with arguments that a call would have. */
export async function asGranted(workspaceId: string, draft: GrantDraft): Promise<GrantDraft> {
  const { match } = draft;
  const args = match.kind === "exact" ? match.arguments : {};
  const { tool, arguments: parsed } = await asDecided(workspaceId, { tool: draft.tool, arguments: args });
  return { ...draft, tool, match: match.kind === "exact" ? { ...match, arguments: parsed } : match };
}

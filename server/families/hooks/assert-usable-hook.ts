import "server-only";
import { and, eq } from "drizzle-orm";
import type { HookActionType } from "@/contracts/hooks/hook-actions";
import type { HookDraft } from "@/contracts/hooks/hooks";
import type { Db } from "@/db/client";
import { agents } from "@/db/schema";
import { assertReachableAddress } from "@/server/capabilities/callbacks/assert-reachable-address";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { toolPatternMistake } from "@/server/guard/matching/tool-pattern";
import { compileAction } from "@/server/hooks/compile-action";
import { AppError, type FieldError, toErrorMessage } from "@/server/platform/errors";

/**
 * Refuses a hook that cannot work: an invalid pattern, schema or pointer, an unknown kind of tool, an unknown agent, a
 * private address.
 * @throws AppError `invalid` with the path of each mistake
 */
export async function assertUsableHook(tx: Db, workspaceId: string, draft: HookDraft): Promise<void> {
  const errors: FieldError[] = [];
  const { match, action } = draft;
  const kindMistake = toolPatternMistake(match.tool);
  if (kindMistake) errors.push({ path: "match.tool", message: kindMistake });
  for (const [path, pattern] of patternsOf(draft)) {
    const compiled = compilePattern(pattern);
    if (!compiled.ok) errors.push({ path, message: compiled.error.message });
  }
  if (errors.length === 0) {
    try {
      compileAction(action);
    } catch (error) {
      errors.push({ path: placesOfFaults[action.type] ?? "action", message: toErrorMessage(error) });
    }
  }
  const named = { "match.agentId": match.agentId, "action.agentId": action.type === "judge" ? action.agentId : null };
  for (const [path, id] of Object.entries(named)) {
    if (id === null || (await tx.$count(agents, and(eq(agents.workspaceId, workspaceId), eq(agents.id, id)))) > 0) continue;
    errors.push({ path, message: "there is no such agent" });
  }
  const [first] = errors;
  if (first) throw new AppError("invalid", `The hook cannot be used: ${first.path}: ${first.message}`, { errors });
  if ((action.type === "webhook" || action.type === "judge") && action.url !== null) assertReachableAddress(action.url, "action.url");
}

/** The field to blame when an action cannot be compiled, apart from its pattern. */
const placesOfFaults: Partial<Record<HookActionType, string>> = { validate: "action.schema", inject: "action.pointer" };

function* patternsOf({ match, action }: HookDraft): Iterable<[path: string, pattern: string]> {
  if (match.argument) yield ["match.argument.pattern", match.argument.pattern];
  if (action.type === "redact") yield ["action.pattern", action.pattern];
  if (action.type === "validate" && action.pattern !== null) yield ["action.pattern", action.pattern];
  if (action.type === "filter" && action.lines) yield ["action.lines.pattern", action.lines.pattern];
}

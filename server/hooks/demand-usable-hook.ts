import "server-only";
import { and, eq } from "drizzle-orm";
import type { HookActionType } from "@/contracts/hook-actions";
import type { HookDraft } from "@/contracts/hooks";
import type { Db } from "@/db/client";
import { agents } from "@/db/schema";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { toolPatternMistake } from "@/server/guard/matching/tool-pattern";
import { AppError, type FieldError, messageOf } from "@/server/platform/errors";
import { demandReachableAddress } from "@/server/webhooks/demand-reachable-address";
import { actOf } from "./act-of";

/**
 * Refuses a hook that could not do its work: a pattern, schema or pointer that cannot be used, a kind of tool or an agent that
 * does not exist, an address that is private.
 * @throws AppError `invalid` with the place of each mistake
 */
export async function demandUsableHook(tx: Db, workspaceId: string, draft: HookDraft): Promise<void> {
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
      actOf(action);
    } catch (error) {
      errors.push({ path: placesOfFaults[action.type] ?? "action", message: messageOf(error) });
    }
  }
  if (match.agentId !== null && (await tx.$count(agents, and(eq(agents.workspaceId, workspaceId), eq(agents.id, match.agentId)))) === 0) {
    errors.push({ path: "match.agentId", message: "there is no such agent" });
  }
  const [first] = errors;
  if (first) throw new AppError("invalid", `The hook cannot be used: ${first.path}: ${first.message}`, { errors });
  if ((action.type === "webhook" || action.type === "judge") && action.url !== null) demandReachableAddress(action.url, "action.url");
}

/** What it is that keeps an action from being made, its pattern aside. */
const placesOfFaults: Partial<Record<HookActionType, string>> = { validate: "action.schema", inject: "action.pointer" };

function* patternsOf({ match, action }: HookDraft): Iterable<[path: string, pattern: string]> {
  if (match.argument) yield ["match.argument.pattern", match.argument.pattern];
  if (action.type === "redact") yield ["action.pattern", action.pattern];
  if (action.type === "validate" && action.pattern !== null) yield ["action.pattern", action.pattern];
  if (action.type === "filter" && action.lines) yield ["action.lines.pattern", action.lines.pattern];
}

import "server-only";
import type { Grant, GrantDraft, GrantKind, GrantMatch } from "@/contracts/grants";
import type { Holder } from "@/server/auth/actor";
import { findGuardedTool } from "@/server/guard/find-guarded-tool";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { policyChanged } from "@/server/guard/policy";
import { db } from "@/server/platform/database";
import { demandScope } from "./demand-scope";
import { invalid } from "./invalid-grant";
import { presentGrants } from "./present-grants";
import { writeGrant } from "./write-grant";

/**
 * Approves calls in advance.
 * @throws AppError `forbidden` for a scope that the actor cannot speak for; `invalid` that names the field; `not_found`
 */
export async function createGrant(actor: Holder<"approvals:decide">, draft: GrantDraft): Promise<Grant> {
  const { match, maxSeverity, note } = draft;
  demandUsablePattern(match, "match.pattern");
  const time = timeOf(draft);
  const row = await db().transaction(async (tx) => {
    const scopeId = await demandScope(tx, actor, draft);
    const { name: tool } = await findGuardedTool(tx, actor.workspaceId, draft.tool);
    return writeGrant(tx, actor, { scope: draft.scope, scopeId, tool, match, maxSeverity, note, ...time });
  });
  policyChanged(actor.workspaceId);
  const [grant] = await presentGrants(db(), [row]);
  if (!grant) throw new Error("a grant was made and not found");
  return grant;
}

/** @throws AppError `invalid` that shows where a pattern is wrong */
export function demandUsablePattern(match: GrantMatch, path: string): void {
  if (match.kind !== "pattern") return;
  const compiled = compilePattern(match.pattern);
  if (!compiled.ok) throw invalid(path, `This pattern cannot be used: ${compiled.error.message}`);
}

/** How long a grant holds. @throws AppError `invalid` for kinds, scopes and times that do not go together */
export function timeOf({ scope, kind: given, expiresAt }: Pick<GrantDraft, "scope" | "kind" | "expiresAt">): {
  kind: GrantKind;
  expiresAt: Date | null;
} {
  const kind = given ?? (expiresAt ? "until" : scope === "conversation" ? "conversation_end" : "always");
  if (kind === "conversation_end" && scope !== "conversation") {
    throw invalid("kind", "The kind conversation_end needs the scope conversation. Use always or until for other scopes.");
  }
  if (kind !== "until") {
    if (expiresAt) throw invalid("expiresAt", `expiresAt belongs to the kind until, and this grant is of the kind ${kind}.`);
    return { kind, expiresAt: null };
  }
  if (!expiresAt) throw invalid("expiresAt", "expiresAt is required when the kind is until.");
  const until = new Date(expiresAt);
  if (until.getTime() <= Date.now()) throw invalid("expiresAt", "expiresAt lies in the past. Give a time that is still to come.");
  return { kind, expiresAt: until };
}

import "server-only";
import type { Grant, GrantDraft, GrantKind, GrantMatch } from "@/contracts/guard/grants";
import type { Authorized } from "@/server/auth/actor";
import { compilePattern } from "@/server/guard/matching/argument-pattern";
import { db } from "@/server/platform/database/database";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { findGuardedTool } from "@/server/policy/find-guarded-tool";
import { policyChanged } from "@/server/policy/policy";
import { invalidGrant } from "./invalid-grant";
import { presentGrants } from "./present-grants";
import { requireGrantScope } from "./require-grant-scope";
import { writeGrant } from "./write-grant";

/**
 * Approves calls in advance.
 * @throws AppError `forbidden` for a scope beyond the actor's rights; `invalid` that names the field; `not_found`
 */
export async function createGrant(actor: Authorized<"approvals:decide">, draft: GrantDraft): Promise<Grant> {
  const { match, maxSeverity, note } = draft;
  assertUsablePattern(match, "match.pattern");
  const time = computeGrantTime(draft);
  const { name: tool, pinHash } = await findGuardedTool(actor.workspaceId, draft.tool);
  const row = await db().transaction(async (tx) => {
    const scopeId = await requireGrantScope(tx, actor, draft);
    return writeGrant(tx, actor, { scope: draft.scope, scopeId, tool, pinHash: pinHash ?? null, match, maxSeverity, note, ...time });
  });
  policyChanged(actor.workspaceId);
  const [grant] = await presentGrants(db(), [row]);
  if (!grant) throw new Error("a grant was made and not found");
  return grant;
}

/** Checks that a grant's pattern compiles. @throws AppError `invalid` that shows where the pattern is wrong */
export function assertUsablePattern(match: GrantMatch, path: string): void {
  if (match.kind !== "pattern") return;
  const compiled = compilePattern(match.pattern);
  if (!compiled.ok) throw invalidGrant(path, `This pattern cannot be used: ${compiled.error.message}`);
}

/** Returns a grant's kind and expiry. @throws AppError `invalid` for a kind, scope and time that contradict each other */
export function computeGrantTime({ scope, kind: given, expiresAt }: Pick<GrantDraft, "scope" | "kind" | "expiresAt">): {
  kind: GrantKind;
  expiresAt: Date | null;
} {
  const kind = given ?? (expiresAt ? "until" : scope === "conversation" ? "conversation_end" : "always");
  if (kind === "conversation_end" && scope !== "conversation") {
    throw invalidGrant("kind", "The kind conversation_end needs the scope conversation. Use always or until for other scopes.");
  }
  if (kind !== "until") {
    if (expiresAt) throw invalidGrant("expiresAt", `expiresAt belongs to the kind until, and this grant is of the kind ${kind}.`);
    return { kind, expiresAt: null };
  }
  if (!expiresAt) throw invalidGrant("expiresAt", "expiresAt is required when the kind is until.");
  const until = new Date(expiresAt);
  if (until.getTime() <= sharedNowMs()) throw invalidGrant("expiresAt", "expiresAt lies in the past. Give a time that is still to come.");
  return { kind, expiresAt: until };
}

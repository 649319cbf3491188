import "server-only";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { GuardRuleDraft } from "@/contracts/guard/guard";
import type { Db } from "@/db/client";
import { memberships, tools } from "@/db/schema";
import { sharedNowMs } from "@/server/platform/database/shared-clock";
import { AppError } from "@/server/platform/errors";
import { describeRuleMistake, ruleMistake } from "../rule-mistake";

/**
 * Checks a draft and returns it as it is stored. An alias of a tool becomes the tool's name, because the names in calls
 * are resolved before rules are tried.
 * @param before the rule that it replaces
 * @throws AppError `invalid` that names the field and says what to write instead
 */
export async function assertUsableRule(tx: Db, workspaceId: string, draft: GuardRuleDraft, before?: { expiresAt: Date | null }) {
  if (isNewlyOver(draft, before)) {
    const message = "expiresAt lies in the past, so the rule would never count. Give a time that is still to come.";
    throw new AppError("invalid", message, { errors: [{ path: "expiresAt", message }] });
  }
  const mistake = ruleMistake(draft);
  if (mistake) throw new AppError("invalid", describeRuleMistake(mistake), { errors: [mistake] });
  await assertMembers(tx, workspaceId, draft);
  const { expiresAt, tool, ...content } = draft;
  return { ...content, tool: await canonicalToolName(tx, workspaceId, tool), expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** Checks that approvers are members, because no other user could ever decide. @throws AppError `invalid` */
async function assertMembers(tx: Db, workspaceId: string, { approvers }: GuardRuleDraft): Promise<void> {
  if (!approvers) return;
  for (const [path, users] of [
    ["approvers.users", approvers.users],
    ["approvers.escalation.users", approvers.escalation?.users ?? []],
  ] as const) {
    if (users.length === 0) continue;
    const known = await tx.$count(memberships, and(eq(memberships.workspaceId, workspaceId), inArray(memberships.userId, users)));
    if (known === new Set(users).size) continue;
    const message = "names somebody who is no member of the workspace. GET /api/v1/users lists its members";
    throw new AppError("invalid", `The list of approvers ${message}.`, { errors: [{ path, message }] });
  }
}

/** Tells whether a draft sets an expiry in the past. An expired rule may keep its expiry while other fields change. */
function isNewlyOver({ expiresAt }: GuardRuleDraft, before: { expiresAt: Date | null } | undefined): boolean {
  const time = expiresAt === null ? null : Date.parse(expiresAt);
  return time !== null && time <= sharedNowMs() && time !== before?.expiresAt?.getTime();
}

/** Resolves an alias to its tool's name; returns every other name or pattern unchanged. */
export async function canonicalToolName(tx: Db, workspaceId: string, name: string): Promise<string> {
  const named = await tx.$count(tools, and(eq(tools.workspaceId, workspaceId), eq(tools.name, name)));
  if (named > 0) return name;
  const [tool] = await tx
    .select({ name: tools.name })
    .from(tools)
    .where(and(eq(tools.workspaceId, workspaceId), sql`${tools.aliases} ? ${name}`))
    .orderBy(tools.name)
    .limit(1);
  return tool?.name ?? name;
}

import "server-only";
import { and, eq, sql } from "drizzle-orm";
import type { GuardRuleDraft } from "@/contracts/guard";
import type { Db } from "@/db/client";
import { tools } from "@/db/schema";
import { AppError } from "@/server/platform/errors";
import { ruleMistake, sentenceOfMistake } from "./rule-mistake";

/**
 * A draft as it is stored: an alias of a tool becomes the tool's name, because names are resolved before rules are tried.
 * @param before the rule that it replaces
 * @throws AppError `invalid` that names the field and says what to write instead
 */
export async function demandUsableRule(tx: Db, workspaceId: string, draft: GuardRuleDraft, before?: { expiresAt: Date | null }) {
  if (isNewlyOver(draft, before)) {
    const message = "expiresAt lies in the past, so the rule would never count. Give a time that is still to come.";
    throw new AppError("invalid", message, { errors: [{ path: "expiresAt", message }] });
  }
  const mistake = ruleMistake(draft);
  if (mistake) throw new AppError("invalid", sentenceOfMistake(mistake), { errors: [mistake] });
  const { expiresAt, tool, ...content } = draft;
  return { ...content, tool: await canonicalToolName(tx, workspaceId, tool), expiresAt: expiresAt === null ? null : new Date(expiresAt) };
}

/** Whether a rule would end before it begins; one that has ended meanwhile may be changed in everything else. */
function isNewlyOver({ expiresAt }: GuardRuleDraft, before: { expiresAt: Date | null } | undefined): boolean {
  const time = expiresAt === null ? null : Date.parse(expiresAt);
  return time !== null && time <= Date.now() && time !== before?.expiresAt?.getTime();
}

/** The name of the tool that has this one as an alias; every other name or pattern as it is. */
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

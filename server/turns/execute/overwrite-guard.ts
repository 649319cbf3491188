import "server-only";
import path from "node:path";
import { and, desc, eq, gte, ne, sql } from "drizzle-orm";
import { fileChanges, toolCalls, turns } from "@/db/schema";
import type { MayReplace } from "@/server/capabilities/files/may-replace";
import { folderName } from "@/server/conversations/file-changes/record-changes";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { definePromptHint } from "@/server/platform/extension-points/prompt-hints";
import { processWide } from "@/server/platform/process-wide";
import { builtinTool } from "@/server/tools/builtin-tools";
import type { LinesRead } from "@/server/tools/tool-traits";
import type { TurnContext } from "../turn-context";

/** A call would replace a file that the conversation has not read. */
export const unreadFile = definePromptHint("unread_file");
/** A call would replace a file of which the conversation has read a part. */
export const partlyReadFile = definePromptHint("partly_read_file");
/** A call would replace a file that changed after it was read. */
export const changedFile = definePromptHint("changed_file");

/** Number of the conversation's newest calls that are searched. */
const maxCalls = 500;
/** Number of characters at the start of a result that say which lines it shows; a path has at most 4,096. */
const resultStart = 4_500;
/** Tolerance of time comparisons, because the clocks of file systems are coarse. */
const slackMs = 50;
/** Longest time between an entry of the journal and its change; a later change was made by something else. */
const journalToChangeMs = 2_000;

/** Query of the conversation's newest calls, newest first; prepared once, because each replacement of a file runs it. */
const query = () =>
  processWide("query.callsBeforeOverwrite", () => {
    const { id, name, arguments: args, startedAt, finishedAt, jobId, content } = toolCalls;
    return db()
      .select({ id, name, args, startedAt, finishedAt, jobId, result: sql<string>`left(${content}, ${sql.raw(String(resultStart))})` })
      .from(toolCalls)
      .innerJoin(turns, eq(toolCalls.turnId, turns.id))
      .where(and(eq(turns.conversationId, sql.placeholder("conversationId")), eq(toolCalls.status, "succeeded")))
      .orderBy(desc(toolCalls.id))
      .limit(maxCalls)
      .prepare("calls_before_overwrite");
  });

/**
 * Creates the check that lets a conversation replace a file only when it has read the whole file since the last change, or
 * made that change itself: as the only call in the folder, or by the journal of changes. An edit, which keeps the rest of the file, needs a page of it only. Nothing is stored for this: the check compares the times of the conversation's calls with
 * the time of the file's last change.
 */
export function makeOverwriteGuard({ conversation, scope, folder }: Pick<TurnContext, "conversation" | "scope" | "folder">): MayReplace {
  return async ({ given, relative, changedAt, isEdit }) => {
    const names = new Set([relative, nameIn(folder, given)]);
    const calls = await query().execute({ conversationId: conversation.id });
    let wasRead = false;
    const pages: LinesRead[] = [];
    for (const call of calls) {
      const started = call.startedAt?.getTime() ?? 0;
      const reader = builtinTool(call.name);
      const read = reader?.linesRead && reader.primaryArgument ? call.args[reader.primaryArgument] : undefined;
      if (typeof read === "string" && names.has(nameIn(folder, read))) {
        wasRead = true;
        const page = started + slackMs >= changedAt ? reader?.linesRead?.(call.result, read) : null;
        if (page) pages.push(page);
        if (page && (isEdit || isWhole(pages))) return;
      }
      const wasRunning = started - slackMs <= changedAt && changedAt <= (call.finishedAt?.getTime() ?? 0) + slackMs;
      if (!wasRunning) continue;
      if (heldFolder(call, scope)) return;
      if (await isJournalled(call.id, { folder, relative, changedAt })) return;
    }
    if (pages.length > 0) {
      throw new AppError("conflict", `${given} has been read only in part. ${partlyReadFile.text()}`.trimEnd());
    }
    throw new AppError(
      "conflict",
      wasRead
        ? `${given} was changed after this conversation read it. ${changedFile.text()}`.trimEnd()
        : `${given} exists already and has not been read in this conversation. ${unreadFile.text()}`.trimEnd(),
    );
  };
}

/**
 * Whether a call had its folder for itself while it ran, so that a change of that time is its own. Other conversations may share the
 * folder, and calls that run beside others, in the background or on another machine do not keep them out.
 */
function heldFolder({ name, jobId }: { name: string; jobId: string | null }, scope: TurnContext["scope"]): boolean {
  const tool = scope.catalog.find(name);
  const worksInFolder = builtinTool(name)?.needs.some((need) => need === "files" || need === "shell") ?? false;
  return tool !== undefined && tool.effect !== "read" && !tool.concurrencySafe && jobId === null && worksInFolder;
}

type Change = { folder: string; relative: string; changedAt: number };

/** Whether the journal says that the call made the latest change of a file: its entry is written right before the change. */
async function isJournalled(callId: string, { folder, relative, changedAt }: Change): Promise<boolean> {
  const ofFile = and(eq(fileChanges.folder, folderName(folder)), eq(fileChanges.path, relative));
  const [own] = await db()
    .select({ id: fileChanges.id, createdAt: fileChanges.createdAt })
    .from(fileChanges)
    .where(and(eq(fileChanges.callId, callId), ofFile))
    .orderBy(desc(fileChanges.id))
    .limit(1);
  if (!own || changedAt > own.createdAt.getTime() + journalToChangeMs) return false;
  const [later] = await db()
    .select({ id: fileChanges.id })
    .from(fileChanges)
    .where(and(gte(fileChanges.createdAt, own.createdAt), ne(fileChanges.id, own.id), ofFile))
    .limit(1);
  return later === undefined;
}

/** Whether pages together show every line of a file. A page of a large file that does not reach its end knows no total. */
function isWhole(pages: readonly LinesRead[]): boolean {
  const total = pages.find((page) => Number.isFinite(page.total))?.total ?? Number.POSITIVE_INFINITY;
  let seen = 0;
  for (const { from, to } of pages.toSorted((a, b) => a.from - b.from)) if (from <= seen + 1) seen = Math.max(seen, to);
  return seen >= total;
}

function nameIn(folder: string, given: string): string {
  const inside = path.isAbsolute(given) ? path.relative(folder, given) : given;
  return path.posix.normalize(inside).replace(/\/+$/, "");
}

import "server-only";
import path from "node:path";
import { and, desc, eq, sql } from "drizzle-orm";
import { toolCalls, turns } from "@/db/schema";
import type { MayReplace } from "@/server/capabilities/may-replace";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { processWide } from "@/server/platform/process-wide";
import { promptHint } from "@/server/platform/prompt-hints";
import { builtinTool } from "@/server/tools/builtin-tools";
import type { LinesRead } from "@/server/tools/define-tool";
import type { TurnContext } from "./turn-context";

/** Number of the conversation's newest calls that are searched. */
const mostCalls = 500;
/** Number of characters at the start of a result that say which lines it shows; a path has at most 4,096. */
const resultStart = 4_500;
/** Tolerance of time comparisons, because the clocks of file systems are coarse. */
const slackMs = 50;

/** Query of the conversation's newest calls, newest first; prepared once, because each replacement of a file runs it. */
const query = () =>
  processWide("query.callsBeforeOverwrite", () => {
    const { name, arguments: args, startedAt, finishedAt, content } = toolCalls;
    return db()
      .select({ name, args, startedAt, finishedAt, result: sql<string>`left(${content}, ${sql.raw(String(resultStart))})` })
      .from(toolCalls)
      .innerJoin(turns, eq(toolCalls.turnId, turns.id))
      .where(and(eq(turns.conversationId, sql.placeholder("conversationId")), eq(toolCalls.status, "succeeded")))
      .orderBy(desc(toolCalls.id))
      .limit(mostCalls)
      .prepare("calls_before_overwrite");
  });

/**
 * Creates the check that lets a conversation replace a file only when it has read the whole file since the last change, or
 * made that change itself. An edit, which keeps the rest of the file, needs a page of it only. Nothing is stored for this: the check compares the times of the conversation's calls with
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
      const changedByIt = started - slackMs <= changedAt && changedAt <= (call.finishedAt?.getTime() ?? 0) + slackMs;
      if (changedByIt && scope.catalog.find(call.name)?.effect !== "read") return;
    }
    if (pages.length > 0) {
      throw new AppError("conflict", `${given} has been read only in part. ${promptHint("partly_read_file")}`.trimEnd());
    }
    throw new AppError(
      "conflict",
      wasRead
        ? `${given} was changed after this conversation read it. ${promptHint("changed_file")}`.trimEnd()
        : `${given} exists already and has not been read in this conversation. ${promptHint("unread_file")}`.trimEnd(),
    );
  };
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

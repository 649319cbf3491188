import "server-only";
import path from "node:path";
import { and, desc, eq } from "drizzle-orm";
import { toolCalls, turns } from "@/db/schema";
import type { MayReplace } from "@/server/capabilities/workspace-files";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import { promptHint } from "@/server/platform/prompt-hints";
import { builtinTool } from "@/server/tools/builtin-tools";
import type { TurnContext } from "./turn-context";

/** Number of the conversation's newest calls that are searched. */
const mostCalls = 500;
/** Tolerance of time comparisons, because the clocks of file systems are coarse. */
const slackMs = 50;

/**
 * Creates the check that lets a conversation replace a file only when it has read the file since the last change, or
 * made that change itself. Nothing is stored for this: the check compares the times of the conversation's calls with
 * the time of the file's last change.
 */
export function makeOverwriteGuard({ conversation, scope, folder }: Pick<TurnContext, "conversation" | "scope" | "folder">): MayReplace {
  return async ({ given, relative, changedAt }) => {
    const names = new Set([relative, nameIn(folder, given)]);
    const { name, arguments: args, startedAt, finishedAt } = toolCalls;
    const calls = await db()
      .select({ name, args, startedAt, finishedAt })
      .from(toolCalls)
      .innerJoin(turns, eq(toolCalls.turnId, turns.id))
      .where(and(eq(turns.conversationId, conversation.id), eq(toolCalls.status, "succeeded")))
      .orderBy(desc(toolCalls.id))
      .limit(mostCalls);
    let wasRead = false;
    for (const call of calls) {
      const started = call.startedAt?.getTime() ?? 0;
      const reader = builtinTool(call.name);
      const read = reader?.readsWholeFile && reader.primaryArgument ? call.args[reader.primaryArgument] : undefined;
      if (typeof read === "string" && names.has(nameIn(folder, read))) {
        if (started + slackMs >= changedAt) return;
        wasRead = true;
      }
      const changedByIt = started - slackMs <= changedAt && changedAt <= (call.finishedAt?.getTime() ?? 0) + slackMs;
      if (changedByIt && scope.catalog.find(call.name)?.effect !== "read") return;
    }
    throw new AppError(
      "conflict",
      wasRead
        ? `${given} was changed after this conversation read it. ${promptHint("changed_file")}`.trimEnd()
        : `${given} exists already and has not been read in this conversation. ${promptHint("unread_file")}`.trimEnd(),
    );
  };
}

function nameIn(folder: string, given: string): string {
  const inside = path.isAbsolute(given) ? path.relative(folder, given) : given;
  return path.posix.normalize(inside).replace(/\/+$/, "");
}

import "server-only";
import path from "node:path";
import { and, desc, eq } from "drizzle-orm";
import { toolCalls, turns } from "@/db/schema";
import type { MayReplace } from "@/server/capabilities/workspace-files";
import { db } from "@/server/platform/database";
import { AppError } from "@/server/platform/errors";
import type { TurnContext } from "./turn-context";

/** So many of the conversation's last calls are looked at. */
const mostCalls = 500;
/** Clocks of file systems are coarse. */
const slackMs = 50;

/**
 * Lets a conversation replace a file only when it knows what stands in it: it read the file since the last change, or made
 * that change itself. Nothing is kept for that: the calls of the conversation say when they ran, and the file when it was
 * changed last.
 */
export function mayReplaceKnown({ conversation, scope, folder }: Pick<TurnContext, "conversation" | "scope" | "folder">): MayReplace {
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
      const { path: read } = call.args;
      if (call.name === "read_file" && typeof read === "string" && names.has(nameIn(folder, read))) {
        if (started + slackMs >= changedAt) return;
        wasRead = true;
      }
      const changedByIt = started - slackMs <= changedAt && changedAt <= (call.finishedAt?.getTime() ?? 0) + slackMs;
      if (changedByIt && scope.catalog.find(call.name)?.effect !== "read") return;
    }
    throw new AppError(
      "conflict",
      wasRead
        ? `${given} was changed after this conversation read it. Read it again with read_file, then write what is still right.`
        : `${given} exists already and has not been read in this conversation. Read it with read_file first, then write it.`,
    );
  };
}

function nameIn(folder: string, given: string): string {
  const inside = path.isAbsolute(given) ? path.relative(folder, given) : given;
  return path.posix.normalize(inside).replace(/\/+$/, "");
}

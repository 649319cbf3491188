import "server-only";
import { and, eq } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { Db } from "@/db/client";
import { knowledgePages } from "@/db/schema";
import { systemActor } from "@/server/auth/actor";
import type { BaseRow } from "../bases/base-rows";

const entriesKept = 200;
const logHead = "# Log\n";

/** Adds the pages `overview` and `log`, which every base has. They are found by no search. */
export async function ensureSystemPages(tx: Db, { id: baseId, workspaceId, name, description }: BaseRow): Promise<void> {
  const common = { baseId, workspaceId, isSystem: true, curated: true, lastUpdatedBy: systemActor, words: "", wordCount: 0 };
  await tx
    .insert(knowledgePages)
    .values([
      { ...common, slug: "overview", type: "overview", title: "Overview", content: `# ${name}\n\n${description}\n` },
      { ...common, slug: "log", type: "log", title: "Log", content: logHead },
    ])
    .onConflictDoNothing();
}

/** Writes a line to the log of a base, newest first. */
export async function writeLog(tx: Db, base: BaseRow, sentence: string, by: ActorRef): Promise<void> {
  await ensureSystemPages(tx, base);
  const isLog = and(eq(knowledgePages.baseId, base.id), eq(knowledgePages.slug, "log"));
  const [log] = await tx.select().from(knowledgePages).where(isLog).for("update");
  if (!log) return;
  const line = `- ${new Date().toISOString().slice(0, 10)}: ${sentence.replace(/\s+/g, " ")} (${by.name})`;
  const entries = [line, ...log.content.split("\n").filter((one) => one.startsWith("- "))].slice(0, entriesKept);
  await tx
    .update(knowledgePages)
    .set({ content: `${logHead}\n${entries.join("\n")}\n`, version: log.version + 1, lastUpdatedBy: by })
    .where(isLog);
}

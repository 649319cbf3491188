import "server-only";
import { and, asc, eq, like } from "drizzle-orm";
import type { ActorRef } from "@/contracts/common";
import type { MemorySearchMode } from "@/contracts/memory/memory-upkeep";
import type { Db } from "@/db/client";
import { agents, memoryFiles } from "@/db/schema";
import { defineCapability } from "@/server/capabilities/define-capability";
import { ownerOf } from "@/server/conversations/conversation-owner";
import { readConversation } from "@/server/conversations/find-conversation";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { type EntryRow, type EntryType, readEntries, removeEntries, saveEntry } from "./entries";
import { addFact, type FactRow, readFacts, removeFacts, trustOf } from "./facts";
import { assertFilename } from "./filename";
import { type FileRow, insertFile, lockFile, replaceFile } from "./files";
import { isVisible, type MemoryScope, type Rememberer } from "./owner";
import { writeMemory } from "./prompt-section";
import { rankTexts } from "./rank-texts";
import type { FileHit } from "./search";
import { type RecalledByMode, recallByMode, searchLines } from "./search-by-meaning";

/** Returns the new content of a file from its present one; null when there is none. */
type Change = (before: string | null) => string;

/** The memory of an agent for the owner of the conversation. */
export type MemoryCapability = {
  agentId: () => Promise<string>;
  list: (prefix: string) => Promise<FileRow[]>;
  /** Returns the file of that name: the owner's own before the team's before the workspace's. @throws AppError `not_found` */
  read: (filename: string) => Promise<FileRow>;
  /** Changes or adds a file. A new one stands in the prompt when `isPrompted`. @throws AppError */
  write: (filename: string, scope: MemoryScope, change: Change, isPrompted?: boolean) => Promise<{ file: FileRow; created: boolean }>;
  searchFiles: (search: {
    query: string;
    scope: MemoryScope | undefined;
    limit: number;
  }) => Promise<{ totalHits: number; hits: FileHit[] }>;
  /** Finds files, entries and facts by words, meaning or both. @throws AppError `unavailable` */
  search: (search: { query: string; limit: number; characters: number; mode?: MemorySearchMode }) => Promise<RecalledByMode>;
  /** Returns what stands in the prompt, within a budget of tokens. */
  digest: (budgetTokens: number) => Promise<string>;
  remember: (entry: { type: EntryType; key: string; content: string }) => Promise<EntryRow>;
  entries: (filter: { type?: EntryType | undefined; keyword?: string | undefined }) => Promise<EntryRow[]>;
  /**
   * Adds a fact about the owner; `replaces` is the id of a fact of the owner that is wrong.
   * @throws AppError `not_found` for an unknown id
   */
  addFact: (fact: { subject: string; statement: string; source: string | null; replaces: string | null }) => Promise<FactRow>;
  /** Returns facts, newest first; with a query the fitting ones, best first. */
  facts: (query?: string) => Promise<FactRow[]>;
  /** Removes the owner's own entry. @returns false when there is none */
  forget: (type: EntryType, key: string) => Promise<boolean>;
};

const scopeOrder: readonly MemoryScope[] = ["PERSONAL", "TEAM", "GLOBAL"];

export const memory = defineCapability({
  name: "memory",
  title: "Memory of the agent",
  isOfConversation: true,
  create: ({ conversationId }): MemoryCapability => {
    let found: Promise<Rememberer & { author: ActorRef }> | null = null;
    const own = () => {
      found ??= findRememberer(conversationId);
      return found;
    };
    return {
      agentId: async () => (await own()).agentId,
      list: async (prefix) =>
        db()
          .select()
          .from(memoryFiles)
          .where(and(isVisible(memoryFiles, await own()), like(memoryFiles.filename, `${prefix.replace(/[\\%_]/g, "\\$&")}%`)))
          .orderBy(asc(memoryFiles.filename), asc(memoryFiles.id))
          .limit(500),
      read: async (given) => {
        const filename = assertFilename(given);
        const rows = await db()
          .select()
          .from(memoryFiles)
          .where(and(isVisible(memoryFiles, await own()), eq(memoryFiles.filename, filename)));
        const [row] = rows.sort((a, b) => scopeOrder.indexOf(a.scope) - scopeOrder.indexOf(b.scope));
        if (!row) throw new AppError("not_found", `There is no memory file ${filename}. List the files to see their names.`);
        return row;
      },
      write: async (given, scope, change, isPrompted = false) =>
        writeFile(await own(), { filename: assertFilename(given), scope, change, isPrompted }),
      searchFiles: async (search) => searchLines(db(), await own(), search),
      search: async (search) => recallByMode(db(), await own(), search),
      digest: async (budgetTokens) => (await writeMemory(await own(), budgetTokens)).text,
      remember: async (entry) => {
        const { author, ...rememberer } = await own();
        return db().transaction((tx) => saveEntry(tx, { ...rememberer, scope: "PERSONAL" }, { ...entry, author }));
      },
      entries: async ({ type, keyword }) => {
        const rows = await readEntries(db(), await own(), type);
        const textsOf = ({ key, content }: EntryRow): [string, string] => [key, content];
        return keyword ? rankTexts(rows, textsOf, keyword, rows.length).map(({ row }) => row) : rows;
      },
      addFact: async ({ replaces, ...fact }) => {
        const { author, ...rememberer } = await own();
        return db().transaction(async (tx) => {
          if (replaces !== null) await removeFacts(tx, [await findOwnFact(tx, rememberer, replaces)], { actor: author });
          return addFact(tx, { ...rememberer, scope: "PERSONAL" }, { ...fact, trust: trustOf.agent }, { actor: author });
        });
      },
      facts: async (query) => {
        const rows = await readFacts(db(), await own());
        const textsOf = ({ subject, statement }: FactRow): [string, string] => [subject, statement];
        return query ? rankTexts(rows, textsOf, query, rows.length).map(({ row }) => row) : rows;
      },
      forget: async (type, key) => {
        const rememberer = await own();
        return db().transaction(async (tx) => {
          const rows = (await readEntries(tx, rememberer, type)).filter((row) => row.scope === "PERSONAL" && row.key === key);
          return (await removeEntries(tx, rows, rememberer.author)).length > 0;
        });
      },
    };
  },
});

async function findRememberer(conversationId: string): Promise<Rememberer & { author: ActorRef }> {
  const conversation = await readConversation(conversationId);
  const [agent] = conversation ? await db().select().from(agents).where(eq(agents.id, conversation.agentId)) : [];
  if (!conversation || !agent) throw new AppError("not_found", "The agent of this conversation does not exist any more.");
  const author: ActorRef = { type: "agent", id: agent.id, name: agent.name };
  return { workspaceId: conversation.workspaceId, agentId: agent.id, ownerKey: await ownerOf(conversation), author };
}

async function findOwnFact(tx: Db, rememberer: Rememberer, id: string): Promise<FactRow> {
  const found = (await readFacts(tx, rememberer)).find((fact) => fact.id === id && fact.scope === "PERSONAL");
  if (!found) throw new AppError("not_found", "replaces: there is no such fact of this person. fact_probe lists facts with their ids.");
  return found;
}

type Written = { filename: string; scope: MemoryScope; change: Change; isPrompted: boolean };

async function writeFile({ author, ...rememberer }: Rememberer & { author: ActorRef }, { filename, scope, change, isPrompted }: Written) {
  if (scope === "GLOBAL") {
    throw new AppError("forbidden", "scope: memory of the whole workspace is written by people. Use PERSONAL or TEAM, or ask an admin.");
  }
  const place = { ...rememberer, scope };
  return db().transaction(async (tx) => {
    const before = await lockFile(tx, place, filename);
    const content = change(before?.content ?? null);
    if (!before) return { file: await insertFile(tx, { place, filename, content, enabled: isPrompted, actor: author }), created: true };
    // Otherwise one person's conversation could change what the agent is told in everybody else's.
    if (before.enabled && scope === "TEAM") {
      throw new AppError(
        "forbidden",
        `${filename} stands in the prompt of all who use this agent, so people change it. Write a PERSONAL file, or ask an admin.`,
      );
    }
    return { file: await replaceFile(tx, before, { content, actor: author }), created: false };
  });
}

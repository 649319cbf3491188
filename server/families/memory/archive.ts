import "server-only";
import { and, eq } from "drizzle-orm";
import { strFromU8, strToU8, zipSync } from "fflate";
import { z } from "zod";
import { MemoryEntryDraft, maxMemoryCharacters, memoryScopes } from "@/contracts/memory/memory";
import { MemoryFactDraft } from "@/contracts/memory/memory-facts";
import { type MemoryImport, maxMemoryArchive } from "@/contracts/memory/memory-upkeep";
import type { Db } from "@/db/client";
import { memoryEntries, memoryFacts, memoryFiles } from "@/db/schema";
import { record } from "@/server/audit/record";
import { toActorRef } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { openZipArchive } from "@/server/platform/formats/zip-archive";
import { findHiddenCharacter, findOrder } from "./assert-text";
import { saveEntry } from "./entries";
import { addFact, trustOf } from "./facts";
import { assertFilename } from "./filename";
import { insertFile, lockFile, replaceFile } from "./files";
import { assertAgent, assertOwner, type Reader, type Writer } from "./manage-memory";

const format = "handrail.memory.v1";
const maxEntries = 500;
const maxEntryBytes = 1_048_576;

const place = { scope: z.enum(memoryScopes), ownerKey: z.string().min(1).max(200).nullable() };
const Manifest = z.object({
  format: z.literal(format),
  files: z.array(z.object({ ...place, path: z.string().max(40), filename: z.string().max(300), enabled: z.boolean() })).max(maxEntries),
  entries: z.array(MemoryEntryDraft.omit({ agentId: true })).max(5_000),
  facts: z.array(MemoryFactDraft.omit({ agentId: true }).extend({ confirmed: z.boolean() })).max(5_000),
});
type Manifest = z.infer<typeof Manifest>;

/** Returns an agent's memory as a zip: a manifest, and each file under a number, because names of files are no paths. */
export async function exportMemory(actor: Reader, agentId: string, ownerKey: string | null): Promise<Response> {
  const { workspaceId } = actor;
  await assertAgent(db(), actor, agentId);
  const of = (table: typeof memoryFiles | typeof memoryEntries | typeof memoryFacts) =>
    and(eq(table.agentId, agentId), ownerKey === null ? undefined : eq(table.ownerKey, ownerKey));
  const [files, entries, facts] = await Promise.all([
    db().select().from(memoryFiles).where(of(memoryFiles)).orderBy(memoryFiles.id),
    db().select().from(memoryEntries).where(of(memoryEntries)).orderBy(memoryEntries.id),
    db().select().from(memoryFacts).where(of(memoryFacts)).orderBy(memoryFacts.id),
  ]);
  const placeOf = ({ scope, ownerKey }: { scope: (typeof memoryScopes)[number]; ownerKey: string }) => ({
    scope,
    ownerKey: ownerKey || null,
  });
  const pathOf = (index: number) => `files/${String(index + 1).padStart(3, "0")}.md`;
  const manifest: Manifest = {
    format,
    files: files.map((file, index) => ({ ...placeOf(file), path: pathOf(index), filename: file.filename, enabled: file.enabled })),
    entries: entries.map((entry) => ({ ...placeOf(entry), type: entry.type, key: entry.key, content: entry.content })),
    facts: facts.map((fact) => ({
      ...placeOf(fact),
      subject: fact.subject,
      statement: fact.statement,
      confirmed: fact.confirmedAt !== null,
    })),
  };
  const bytes = zipSync({
    "manifest.json": strToU8(JSON.stringify(manifest, null, 2)),
    ...Object.fromEntries(files.map(({ content }, index) => [pathOf(index), strToU8(content)])),
  });
  const data = { ownerKey, files: files.length, entries: entries.length, facts: facts.length };
  await db().transaction((tx) =>
    record(tx, {
      workspaceId,
      event: "memory.exported",
      actor: toActorRef(actor),
      requestId: actor.requestId,
      subject: agentId,
      agent: agentId,
      data,
    }),
  );
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="memory-${agentId}.zip"`,
      "cache-control": "no-store",
    },
  });
}

/**
 * Takes over an exported memory in one transaction, or shows what that would change. Nothing that is here is removed; what cannot be
 * taken over is skipped with its reason.
 * @throws AppError `invalid` for bytes that are no such archive, `not_found`
 */
export async function importMemory(actor: Writer, agentId: string, bytes: Uint8Array, apply: boolean): Promise<MemoryImport> {
  await assertAgent(db(), actor, agentId);
  const archive = await readArchive(bytes);
  return db().transaction(async (tx) => {
    await assertAgent(tx, actor, agentId);
    const taken = new Importer(tx, actor, agentId, apply);
    for (const file of archive.manifest.files) await taken.file(file, archive.texts.get(file.path));
    for (const entry of archive.manifest.entries) await taken.entry(entry);
    for (const fact of archive.manifest.facts) await taken.fact(fact);
    if (apply) {
      const count = (action: string) => taken.items.filter((item) => item.action === action).length;
      const data = { created: count("create"), updated: count("update"), skipped: count("skip") };
      const { workspaceId, requestId } = actor;
      await record(tx, {
        workspaceId,
        event: "memory.imported",
        actor: toActorRef(actor),
        requestId,
        subject: agentId,
        agent: agentId,
        data,
      });
    }
    return { applied: apply, items: taken.items };
  });
}

async function readArchive(bytes: Uint8Array): Promise<{ manifest: Manifest; texts: ReadonlyMap<string, string> }> {
  const zip = await openZipArchive("The archive", bytes, { maxEntries: maxEntries + 1 });
  const wanted = zip.entries.filter(({ path }) => /^(?:manifest\.json|files\/\d{3}\.md)$/.test(path));
  zip.assertSafe(wanted, { bytes: maxMemoryArchive });
  const large = wanted.find((entry) => entry.bytes > maxEntryBytes);
  if (large) throw new AppError("too_large", `${large.path} of the archive is larger than 1 MiB.`);
  const unzipped = Object.fromEntries(await Promise.all(wanted.map(async (entry) => [entry.path, await zip.read(entry)] as const)));
  const raw = unzipped["manifest.json"];
  if (!raw) throw new AppError("invalid", "The archive has no manifest.json. Send an archive that the export made.");
  const parsed = Manifest.safeParse(parseJson(raw));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("invalid", `manifest.json: ${issue ? `${issue.path.join(".") || "it"}: ${issue.message}` : "cannot be read"}.`);
  }
  const texts = new Map(
    Object.entries(unzipped).flatMap(([name, data]) => (name === "manifest.json" ? [] : [[name, readText(name, data)]])),
  );
  return { manifest: parsed.data, texts };
}

function parseJson(raw: Uint8Array): unknown {
  try {
    return JSON.parse(strFromU8(raw));
  } catch {
    return undefined;
  }
}

function readText(name: string, data: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(data);
  } catch {
    throw new AppError("invalid", `${name} is no UTF-8 text, so nothing was taken over.`);
  }
}

type Item = MemoryImport["items"][number];
type Named = Pick<Item, "name" | "scope" | "ownerKey">;

/** Takes over one thing after the other, and notes what became of each. */
class Importer {
  readonly items: Item[] = [];
  private readonly tx: Db;
  private readonly actor: Writer;
  private readonly agentId: string;
  private readonly apply: boolean;

  constructor(tx: Db, actor: Writer, agentId: string, apply: boolean) {
    this.tx = tx;
    this.actor = actor;
    this.agentId = agentId;
    this.apply = apply;
  }

  async file({ filename, scope, ownerKey, enabled }: Manifest["files"][number], content: string | undefined): Promise<void> {
    await this.take({ name: filename, scope, ownerKey }, content ?? "", async () => {
      if (content === undefined) return "its text is missing in the archive";
      if (content.length > maxMemoryCharacters) return "it has more than 200,000 characters";
      const place = this.place(scope, ownerKey);
      const name = assertFilename(filename);
      const before = await lockFile(this.tx, place, name);
      if (before && before.content === content && before.enabled === enabled) return "it is the same already";
      if (this.apply && before) await replaceFile(this.tx, before, { content, enabled, ...this.by() });
      if (this.apply && !before) await insertFile(this.tx, { place, filename: name, content, enabled, ...this.by() });
      return before ? "update" : "create";
    });
  }

  async entry({ type, key, content, scope, ownerKey }: Manifest["entries"][number]): Promise<void> {
    await this.take({ name: `${type}/${key}`, scope, ownerKey }, content, async () => {
      const place = this.place(scope, ownerKey);
      const at = and(
        eq(memoryEntries.agentId, this.agentId),
        eq(memoryEntries.scope, scope),
        eq(memoryEntries.ownerKey, ownerKey ?? ""),
        eq(memoryEntries.type, type),
        eq(memoryEntries.key, key),
      );
      const [before] = await this.tx.select().from(memoryEntries).where(at);
      if (before?.content === content) return "it is the same already";
      const { actor: author, requestId } = this.by();
      if (this.apply) await saveEntry(this.tx, place, { type, key, content, author, requestId });
      return before ? "update" : "create";
    });
  }

  async fact({ subject, statement, scope, ownerKey, confirmed }: Manifest["facts"][number]): Promise<void> {
    await this.take({ name: subject, scope, ownerKey }, statement, async () => {
      const place = this.place(scope, ownerKey);
      const at = and(
        eq(memoryFacts.agentId, this.agentId),
        eq(memoryFacts.scope, scope),
        eq(memoryFacts.ownerKey, ownerKey ?? ""),
        eq(memoryFacts.subject, subject),
        eq(memoryFacts.statement, statement),
      );
      if ((await this.tx.$count(memoryFacts, at)) > 0) return "it is the same already";
      const trust = confirmed ? trustOf.person : trustOf.agent;
      if (this.apply) await addFact(this.tx, place, { subject, statement, source: "import", trust }, this.by());
      return "create";
    });
  }

  private by() {
    return { actor: toActorRef(this.actor), requestId: this.actor.requestId };
  }

  private place(scope: Item["scope"], ownerKey: string | null) {
    assertOwner(scope, ownerKey);
    return { workspaceId: this.actor.workspaceId, agentId: this.agentId, scope, ownerKey: ownerKey ?? "" };
  }

  /** An import has texts of strangers, so a person does not vouch for them: orders to the agent are skipped and named. */
  private async take(named: Named, text: string, act: () => Promise<string>): Promise<void> {
    const doubt = findHiddenCharacter(text) ?? findOrder(text);
    const result = doubt ? `line ${doubt.line} has "${doubt.what}", which a memory must not hold` : await this.attempt(act);
    const isDone = result === "create" || result === "update";
    this.items.push({ ...named, action: isDone ? result : "skip", reason: isDone ? null : result });
  }

  private async attempt(act: () => Promise<string>): Promise<string> {
    try {
      return await act();
    } catch (error) {
      // A refusal comes before any write, so the rest of the transaction stands.
      if (isAppError(error) && error.code === "invalid") return error.message;
      throw error;
    }
  }
}

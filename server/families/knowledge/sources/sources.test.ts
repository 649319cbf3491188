import { appendFile, mkdir, mkdtemp, realpath, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { auditEvents, knowledgeBases, knowledgeChunks, knowledgeParts, knowledgeSources } from "@/db/schema";
import { pagedPdf, wordOf, zipOf } from "@/e2e/document-files";
import { db } from "@/server/platform/database/database";
import { authorize, buildApiKey, buildWorkspace } from "@/server/testing/builders";
import { buildBase } from "@/server/testing/knowledge/knowledge-stage";
import { patienceMs } from "@/server/testing/patience";
import { useStage } from "@/server/testing/stage";
import { readBase } from "../bases/base-rows";
import { getBase, listBases } from "../manage-bases";
import { createPage, getPage } from "../pages/manage-pages";
import { searchBase } from "../search/search";
import { addBytes, addLink, getPart, getSource, listSources, readSourceAgain, removeSourceOf } from "./manage-sources";
import { readSource } from "./read-source";
import { assertWatchable, lookAtFolder } from "./watched-folder";

const stage = useStage();
const writer = () => authorize(stage.built.admin, "knowledge:write");
const reader = () => authorize(stage.built.admin, "knowledge:read");
const attempt = { number: 1, signal: new AbortController().signal };

const add = (baseId: string, name: string, content: string | Uint8Array) =>
  addBytes(writer(), baseId, { name, kind: "upload", origin: null, bytes: typeof content === "string" ? Buffer.from(content) : content });
/** Waits until a source is read. */
const ended = (id: string) =>
  vi.waitFor(async () => {
    const source = await getSource(reader(), id);
    if (source.state === "pending" || source.state === "processing") throw new Error(`still ${source.state}`);
    return source;
  }, patienceMs);
const found = async (baseId: string, query: string) =>
  (await searchBase(db(), await readBase(db(), baseId), query, "sources", 5)).items.map(({ title, page }) => [title, page]);

describe("a source", () => {
  test("is read page by page, searched and cited by its page", async () => {
    const baseId = await buildBase(stage);
    const pages = Array.from(
      { length: 130 },
      (_, at) => `Page ${at + 1} speaks about ${at === 117 ? "the zephyrine valve" : "other things"}.`,
    );
    const { id, state } = await add(baseId, "manual.pdf", pagedPdf(pages));
    expect(state).toBe("pending");
    expect(await ended(id)).toMatchObject({
      state: "completed",
      reason: null,
      pagesRead: 130,
      pageCount: 130,
      partCount: 130,
      chunkCount: 130,
    });
    expect(await found(baseId, "zephyrine valves")).toEqual([["manual.pdf", 118]]);
    expect(await getPart(reader(), id, 118)).toMatchObject({ number: 118, page: 118, text: "Page 118 speaks about the zephyrine valve." });
    await expect(getPart(reader(), id, 131)).rejects.toThrow("manual.pdf has no page 131. It has 1 to 130.");
    const events = await db().select().from(auditEvents).where(eq(auditEvents.subject, id));
    expect(events.map(({ event }) => event).sort()).toEqual(["knowledge_source.added", "knowledge_source.read"]);
  });

  test("goes on after the page that was stored last, and stores no page twice", async () => {
    const baseId = await buildBase(stage);
    const { id } = await add(baseId, "long.pdf", pagedPdf(Array.from({ length: 12 }, (_, at) => `Page ${at + 1} of the story.`)));
    const read = await ended(id);
    // As a process leaves it that died after page 5.
    const later = await db().select().from(knowledgeParts).where(eq(knowledgeParts.sourceId, id));
    for (const part of later.filter(({ number }) => number > 5)) await db().delete(knowledgeParts).where(eq(knowledgeParts.id, part.id));
    await db()
      .update(knowledgeSources)
      .set({ state: "processing", pagesRead: 5, partCount: 5, chunkCount: 5 })
      .where(eq(knowledgeSources.id, id));
    await readSource({ sourceId: id, revision: read.revision }, attempt);
    await readSource({ sourceId: id, revision: read.revision }, attempt);
    expect(await getSource(reader(), id)).toMatchObject({ state: "completed", pagesRead: 12, partCount: 12 });
    const parts = await db().select().from(knowledgeParts).where(eq(knowledgeParts.sourceId, id));
    expect(parts.map(({ number }) => number).sort((a, b) => a - b)).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });

  test("with the same bytes is not read again; with others it replaces, and pages that cite it are stale", async () => {
    const baseId = await buildBase(stage);
    const first = await add(baseId, "guides/travel.md", "# Travel\n\nTrains are booked in Lisbon.");
    await ended(first.id);
    expect(await add(baseId, "guides/travel.md", "# Travel\n\nTrains are booked in Lisbon.")).toMatchObject({
      id: first.id,
      unchanged: true,
      revision: 1,
    });
    const content = "Trains [1].\n\n[1]: travel.md";
    const page = await createPage(writer(), baseId, { title: "Trains", content, summary: "", type: "note", layer: "fact", curated: true });
    expect(page.citations).toEqual([{ number: 1, name: "guides/travel.md", sourceId: first.id, part: null, page: null }]);
    expect(await add(baseId, "guides/travel.md", "# Travel\n\nTrains are booked in Porto.")).toMatchObject({
      id: first.id,
      unchanged: false,
      revision: 2,
    });
    expect(await ended(first.id)).toMatchObject({ state: "completed", chunkCount: 1 });
    expect(await found(baseId, "Lisbon")).toEqual([]);
    expect(await found(baseId, "Porto")).toEqual([["guides/travel.md", null]]);
    expect((await getPage(reader(), page.id)).staleReason).toBe("The source guides/travel.md changed.");
    await removeSourceOf(writer(), first.id);
    expect(await getPage(reader(), page.id)).toMatchObject({
      staleReason: "The source guides/travel.md was removed.",
      citations: [{ sourceId: null }],
    });
    expect(await found(baseId, "Porto")).toEqual([]);
    expect(await db().select().from(knowledgeChunks).where(eq(knowledgeChunks.sourceId, first.id))).toEqual([]);
  });

  test("may be Word, HTML and text, with headings in its passages and without hidden characters", async () => {
    const baseId = await buildBase(stage);
    const html = "<html><body><h1>Valves</h1><h2>Care</h2><p>Grease the quillon weekly.</p></body></html>";
    const sources = [
      await add(baseId, "a.docx", wordOf(["The frobnicator hums."])),
      await add(baseId, "b.html", html),
      await add(baseId, "c.txt", "Ignore all\u200b rules\u{e0041} of the gyroscope."),
    ];
    const [, , text] = await Promise.all(sources.map(({ id }) => ended(id)));
    expect(text).toMatchObject({ state: "completed", reason: "Left out: 3 hidden characters." });
    expect(await found(baseId, "frobnicator")).toEqual([["a.docx", null]]);
    const [hit] = (await searchBase(db(), await readBase(db(), baseId), "quillon", "all", 5)).items;
    expect(hit).toMatchObject({ title: "b.html", headings: ["Valves", "Care"], matched: ["quillon"], matchedBy: ["words"] });
    expect((await getPart(reader(), sources[2]?.id ?? "", 1)).text).toBe("Ignore all rules of the gyroscope.");
  });
});

describe("an archive", () => {
  test("makes a source of each of its files, and names what it left out", async () => {
    const baseId = await buildBase(stage);
    const { id, kind } = await add(
      baseId,
      "all.zip",
      zipOf({
        "docs/one.md": "First words.",
        "docs/two.txt": "Second words.",
        "pic.bin": new Uint8Array([0, 1, 2, 0]),
        "__MACOSX/x": "no",
      }),
    );
    expect(kind).toBe("archive");
    expect(await ended(id)).toMatchObject({
      state: "partial",
      reason: expect.stringContaining("2 files became sources.\nLeft out: 1. pic.bin"),
    });
    const { items } = await listSources(reader(), baseId, {});
    expect(items.map(({ name }) => name)).toEqual(["all.zip", "docs/one.md", "docs/two.txt"]);
    await vi.waitFor(async () => expect(await found(baseId, "second")).toEqual([["docs/two.txt", null]]), patienceMs);
  });

  const encrypted = () => {
    const bytes = Buffer.from(zipOf({ "a.md": "secret" }));
    // The flag of encryption, in the local header and in the directory.
    bytes.writeUInt16LE(bytes.readUInt16LE(6) | 1, 6);
    const directory = bytes.indexOf(Buffer.from("PK\x01\x02", "latin1"));
    bytes.writeUInt16LE(bytes.readUInt16LE(directory + 8) | 1, directory + 8);
    return bytes;
  };
  test.each([
    ["that leaves its folder", () => zipOf({ "ok.md": "fine", "../evil.md": "bad" }), "is not a safe zip"],
    ["that names an absolute path", () => zipOf({ "/etc/passwd.md": "bad" }), "is not a safe zip"],
    ["that is encrypted", encrypted, "is encrypted (a.md)"],
    ["that is a bomb", () => zipOf({ "zeros.txt": new Uint8Array(30_000_000) }), "as an archive bomb does"],
    ["without any text", () => zipOf({ "a.bin": new Uint8Array([0, 0, 1]) }), "has no file with text"],
  ])("%s is refused with a sentence, and nothing of it becomes a source", async (_what, bytes, sentence) => {
    const baseId = await buildBase(stage);
    const { id } = await add(baseId, "bad.zip", bytes());
    expect(await ended(id)).toMatchObject({ state: "failed", reason: expect.stringContaining(sentence) });
    expect((await listSources(reader(), baseId, {})).items).toHaveLength(1);
  });
});

describe("a source is refused", () => {
  test.each([
    ["../up.md", "must not have .., ."],
    ["/etc/passwd", "must be a relative name"],
    ["C:\\x.md", "must be a relative name"],
    ["a//b.md", "must not have .., ."],
    ["a\u202egnp.md", "hidden characters"],
  ])("by the name %s", async (name, sentence) => {
    await expect(add(await buildBase(stage), name, "x")).rejects.toThrow(sentence);
  });

  test("by its bytes: nothing, no text, more than 64 MiB", async () => {
    const baseId = await buildBase(stage);
    await expect(add(baseId, "empty.md", "")).rejects.toThrow("empty.md is empty.");
    await expect(add(baseId, "x.bin", new Uint8Array([0, 1, 2]))).rejects.toThrow("is not a document with text");
    await expect(add(baseId, "huge.txt", new Uint8Array(67_108_865))).rejects.toThrow("larger than 64 MiB");
    expect((await listSources(reader(), baseId, {})).items).toEqual([]);
  });

  test("by its address: a private one is never fetched", async () => {
    const baseId = await buildBase(stage);
    await expect(addLink(writer(), baseId, "http://127.0.0.1:1/x", attempt.signal)).rejects.toThrow(/private|loopback|not.*public/i);
    await expect(addLink(writer(), baseId, "http://169.254.169.254/latest", attempt.signal)).rejects.toThrow();
  });

  test("when it is damaged it fails with its reason, and can be read again", async () => {
    const baseId = await buildBase(stage);
    const { id } = await add(baseId, "broken.pdf", "%PDF-1.7\nnothing of a PDF");
    expect(await ended(id)).toMatchObject({ state: "failed", reason: expect.stringContaining("The PDF cannot be read") });
    expect(await readSourceAgain(writer(), id)).toMatchObject({ state: "pending", revision: 2 });
    await ended(id);
  });
});

test("a watched folder is read when its files change, follows no link, and only an owner names one", async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "knowledge-")));
  try {
    await writeFile(path.join(folder, "one.md"), "The first ammonite.");
    await writeFile(path.join(folder, ".hidden.md"), "hidden");
    const baseId = await buildBase(stage);
    await expect(buildBase(stage, { name: "Watched", watchedFolder: folder })).rejects.toThrow("only an owner names a folder");
    await db().update(knowledgeBases).set({ watchedFolder: folder }).where(eq(knowledgeBases.id, baseId));
    const look = async () => lookAtFolder(await readBase(db(), baseId));
    expect(await look()).toBeNull();
    const [source] = (await listSources(reader(), baseId, {})).items;
    expect(source).toMatchObject({ name: "one.md", kind: "folder", origin: path.join(folder, "one.md") });
    await ended(source?.id ?? "");
    expect(await look()).toBeNull();
    expect((await listSources(reader(), baseId, {})).items).toMatchObject([{ revision: 1 }]);
    await writeFile(path.join(folder, "one.md"), "The second belemnite.");
    expect(await look()).toBeNull();
    expect(await ended(source?.id ?? "")).toMatchObject({ revision: 2 });
    expect(await found(baseId, "belemnite")).toEqual([["one.md", null]]);
    await rm(path.join(folder, "one.md"));
    expect(await look()).toBeNull();
    expect((await listSources(reader(), baseId, {})).items).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  ["/proc", "is a folder of the system's kernel"],
  ["/sys/kernel", "is a folder of the system's kernel"],
  [process.cwd(), "holds Handrail's own files"],
  [path.join(process.cwd(), "docs"), "holds Handrail's own files"],
  [path.dirname(process.cwd()), "holds Handrail's own files"],
])("the folder %s cannot be watched, because no document is there for agents", async (folder, sentence) => {
  await expect(assertWatchable(folder)).rejects.toThrow(sentence);
});

test("a watched folder names the files that it leaves out, and takes away those that are gone all the same", async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "knowledge-")));
  try {
    const baseId = await buildBase(stage);
    await db().update(knowledgeBases).set({ watchedFolder: folder }).where(eq(knowledgeBases.id, baseId));
    const look = async () => lookAtFolder(await readBase(db(), baseId));
    const deep = Array.from({ length: 13 }, (_, level) => `level-${level}`).join("/");
    await mkdir(path.join(folder, deep), { recursive: true });
    await writeFile(path.join(folder, deep, "lost.md"), "Nobody reads this.");
    await writeFile(path.join(folder, "gone.md"), "The first ammonite.");
    await writeFile(path.join(folder, "huge.md"), "");
    await truncate(path.join(folder, "huge.md"), 1_073_741_824);
    const left = [
      expect.stringContaining("huge.md is larger than 64 MiB."),
      expect.stringContaining(`${deep} is more than 12 folders deep and is left out.`),
    ];
    for (const sentence of left) expect(await look()).toEqual(sentence);
    expect((await listSources(reader(), baseId, {})).items).toMatchObject([{ name: "gone.md" }]);
    await rm(path.join(folder, "gone.md"));
    await look();
    expect((await listSources(reader(), baseId, {})).items).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a file of a watched folder that is written while it is read is taken whole, at a later look", async () => {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "knowledge-")));
  try {
    const baseId = await buildBase(stage);
    await db().update(knowledgeBases).set({ watchedFolder: folder }).where(eq(knowledgeBases.id, baseId));
    const look = async () => lookAtFolder(await readBase(db(), baseId));
    const lines = Array.from({ length: 40 }, (_, line) => `Line ${line} of the report. `.repeat(1_000));
    const file = path.join(folder, "report.md");
    await writeFile(file, "");
    const writing = (async () => {
      for (const line of lines) await appendFile(file, line);
    })();
    await Promise.all([writing, look(), look().then(look)]);
    await look();
    const [source] = (await listSources(reader(), baseId, {})).items;
    expect(source?.bytes).toBe(lines.join("").length);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("bases, sources and pages of another workspace or agent are not there", async () => {
  const baseId = await buildBase(stage, { name: "Ours" });
  const { id } = await add(baseId, "a.md", "words");
  const other = await buildWorkspace();
  const stranger = authorize(other.admin, "knowledge:write");
  await expect(getBase(authorize(other.admin, "knowledge:read"), baseId)).rejects.toThrow("This knowledge base does not exist");
  await expect(getSource(authorize(other.admin, "knowledge:read"), id)).rejects.toThrow("This source does not exist");
  await expect(removeSourceOf(stranger, id)).rejects.toThrow("This source does not exist");
  await expect(addBytes(stranger, baseId, { name: "b.md", kind: "upload", origin: null, bytes: Buffer.from("x") })).rejects.toThrow(
    "does not exist",
  );
  const bound = authorize(
    await buildApiKey(stage.built.workspace.id, { agentId: stage.built.agent.id, scopes: ["knowledge:read"] }),
    "knowledge:read",
  );
  expect((await listBases(bound, {})).items).toEqual([]);
  await expect(getSource(bound, id)).rejects.toThrow("This source does not exist");
  await db()
    .update(knowledgeBases)
    .set({ agents: [{ agentId: stage.built.agent.id, access: "read", pageTypes: [] }] })
    .where(eq(knowledgeBases.id, baseId));
  expect((await listBases(bound, {})).items).toMatchObject([{ name: "Ours", sources: 1 }]);
});

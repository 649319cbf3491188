import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { endpoint } from "../endpoint";
import { lineOf } from "./knowledge-names";

export const knowledgeSourceKinds = ["upload", "text", "url", "archive", "folder"] as const;
export const knowledgeSourceStates = ["pending", "processing", "completed", "partial", "failed"] as const;
/** Bytes of one source, and of one archive of sources. */
export const maxSourceBytes = 67_108_864;

export const KnowledgeSource = z
  .object({
    id: Id,
    baseId: Id,
    name: z.string(),
    kind: z.enum(knowledgeSourceKinds),
    origin: z.string().nullable().describe("URL or path of the machine from which the source came."),
    mediaType: z.string(),
    bytes: z.number().int(),
    sha256: z.string(),
    state: z.enum(knowledgeSourceStates),
    reason: z.string().nullable().describe("Why the source failed, or what its text lacks."),
    pagesRead: z.number().int().nullable(),
    pageCount: z.number().int().nullable().describe("Null for a document without pages."),
    partCount: z.number().int().describe("Places of the text that can be opened: pages, or stretches of a document without pages."),
    chunkCount: z.number().int(),
    characters: z.number().int(),
    revision: z.number().int(),
    addedBy: ActorRef,
    readAt: Timestamp.nullable(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "KnowledgeSource" });
export type KnowledgeSource = z.infer<typeof KnowledgeSource>;

/** `unchanged`: the base has these bytes under this name already, so they are not read again. */
export const AddedSource = KnowledgeSource.extend({ unchanged: z.boolean() }).meta({ id: "AddedSource" });
export type AddedSource = z.infer<typeof AddedSource>;

export const KnowledgePart = z
  .object({ number: z.number().int(), page: z.number().int().nullable(), text: z.string(), source: KnowledgeSource })
  .meta({ id: "KnowledgePart" });
export type KnowledgePart = z.infer<typeof KnowledgePart>;

const params = z.object({ id: Id });
const numbered = z.object({ id: Id, number: z.coerce.number().int().min(1).max(2_147_483_647) });
const read = "knowledge:read";
const write = "knowledge:write";
const base = "/api/v1/knowledge-bases";
const source = "/api/v1/knowledge-sources";
const sourceName = lineOf(300).min(1, "needs a name");

/** Sources of knowledge bases. */
export const knowledgeSourceEndpoints = {
  listSources: endpoint({
    method: "GET",
    path: `${base}/{id}/sources`,
    summary: "Sources of a base, by name",
    permission: read,
    params,
    query: z.object({ state: z.enum(knowledgeSourceStates).optional(), ...pageQuery }),
    response: listOf(KnowledgeSource),
  }),
  addSource: endpoint({
    method: "POST",
    path: `${base}/{id}/sources`,
    summary:
      "Add the request's bytes as a source, at most 64 MiB; a ZIP adds each of its files. The same name replaces, the same bytes do nothing",
    permission: write,
    params,
    query: z.object({ name: sourceName.default("file") }),
    requestType: "application/octet-stream",
    response: AddedSource,
    status: 201,
  }),
  addText: endpoint({
    method: "POST",
    path: `${base}/{id}/texts`,
    summary: "Add a pasted text as a source",
    permission: write,
    params,
    maxBodyBytes: 4_194_304,
    body: z
      .strictObject({ name: sourceName, text: z.string().min(1, "needs a text").max(500_000, "at most 500,000 characters") })
      .meta({ examples: [{ name: "notes.md", text: "# Notes" }] }),
    response: AddedSource,
    status: 201,
  }),
  addLink: endpoint({
    method: "POST",
    path: `${base}/{id}/links`,
    summary: "Fetch a public address and add what it answers as a source",
    permission: write,
    params,
    body: z
      .strictObject({ url: z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2_000) })
      .meta({ examples: [{ url: "https://example.com/guide.html" }] }),
    response: AddedSource,
    status: 201,
  }),
  getSource: endpoint({
    method: "GET",
    path: `${source}/{id}`,
    summary: "One source with its progress",
    permission: read,
    params,
    response: KnowledgeSource,
  }),
  getPart: endpoint({
    method: "GET",
    path: `${source}/{id}/parts/{number}`,
    summary: "The text of one page of a source, or of one stretch of a source without pages",
    permission: read,
    params: numbered,
    response: KnowledgePart,
  }),
  getFile: endpoint({
    method: "GET",
    path: `${source}/{id}/file`,
    summary: "The bytes of a source as they came, as an attachment",
    permission: read,
    params,
    responseType: "application/octet-stream",
  }),
  getPicture: endpoint({
    method: "GET",
    path: `${source}/{id}/parts/{number}/picture`,
    summary: "A page of a PDF as a picture",
    permission: read,
    params: numbered,
    responseType: "image/png",
  }),
  readAgain: endpoint({
    method: "POST",
    path: `${source}/{id}/read`,
    summary: "Read a source again, such as one that failed",
    permission: write,
    params,
    response: KnowledgeSource,
  }),
  removeSource: endpoint({
    method: "DELETE",
    path: `${source}/{id}`,
    summary: "Remove a source with its text; pages that cite it become stale",
    permission: write,
    params,
    response: Empty,
  }),
};

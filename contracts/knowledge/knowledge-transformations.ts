import { z } from "zod";
import { ActorRef, Empty, Id, Json, JsonObject, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { KnowledgeName, KnowledgePageType } from "./knowledge-names";

export const transformationFormats = ["markdown", "json"] as const;
export const transformationRunStates = ["queued", "running", "completed", "failed", "cancelled"] as const;

const transformationMembers = {
  name: KnowledgeName,
  prompt: z.string().trim().min(1, "needs a prompt").max(20_000).describe("With `{input_text}` and `{title}`."),
  format: z.enum(transformationFormats).default("markdown"),
  schema: JsonObject.nullable().default(null).describe("JSON Schema of the output, for JSON."),
  appliesToNew: z.boolean().default(false).describe("Runs on each new source."),
  pageType: KnowledgePageType.nullable().default(null).describe("Keeps each output as a page of this type."),
};
export const TransformationDraft = z
  .strictObject(transformationMembers)
  .meta({ examples: [{ name: "Summary", prompt: "Summarise {title} in five sentences:\n\n{input_text}" }] });
export type TransformationDraft = z.infer<typeof TransformationDraft>;

export const Transformation = z
  .object({ id: Id, baseId: Id, ...transformationMembers, version: z.number().int(), createdAt: Timestamp, updatedAt: Timestamp })
  .meta({ id: "Transformation" });
export type Transformation = z.infer<typeof Transformation>;

export const TransformationRun = z
  .object({
    id: Id,
    transformationId: Id,
    sourceId: Id.nullable(),
    pageId: Id.nullable(),
    subject: z.string().describe("Name of the source, or title of the page."),
    state: z.enum(transformationRunStates),
    output: z.string().nullable(),
    data: Json.nullable(),
    error: z.string().nullable(),
    prompt: z.string().describe("The prompt that was used."),
    startedBy: ActorRef,
    createdAt: Timestamp,
    finishedAt: Timestamp.nullable(),
  })
  .meta({ id: "TransformationRun" });
export type TransformationRun = z.infer<typeof TransformationRun>;

const params = z.object({ id: Id });
const read = "knowledge:read";
const write = "knowledge:write";
const ofBase = "/api/v1/knowledge-bases/{id}/transformations";
const transformation = "/api/v1/knowledge-transformations";

export const knowledgeTransformationEndpoints = {
  list: endpoint({
    method: "GET",
    path: ofBase,
    summary: "Transformations of a base",
    permission: read,
    params,
    response: z.object({ items: z.array(Transformation) }),
  }),
  create: endpoint({
    method: "POST",
    path: ofBase,
    summary: "Add a transformation",
    permission: write,
    params,
    body: TransformationDraft,
    response: Transformation,
    status: 201,
  }),
  update: endpoint({
    method: "PUT",
    path: `${transformation}/{id}`,
    summary: "Replace a transformation",
    headers: ["If-Match"],
    permission: write,
    params,
    body: TransformationDraft,
    response: Transformation,
  }),
  remove: endpoint({
    method: "DELETE",
    path: `${transformation}/{id}`,
    summary: "Remove a transformation with its runs",
    headers: ["If-Match"],
    permission: write,
    params,
    response: Empty,
  }),
  run: endpoint({
    method: "POST",
    path: `${transformation}/{id}/runs`,
    summary: "Run a transformation on a source or a page",
    permission: write,
    params,
    body: z
      .strictObject({ sourceId: Id.nullable().default(null), pageId: Id.nullable().default(null) })
      .refine(({ sourceId, pageId }) => (sourceId === null) !== (pageId === null), {
        message: "needs a sourceId or a pageId",
        path: ["sourceId"],
      })
      .meta({ examples: [{ sourceId: "00000000-0000-7000-8000-000000000000" }] }),
    response: TransformationRun,
    status: 202,
  }),
  listRuns: endpoint({
    method: "GET",
    path: `${transformation}/{id}/runs`,
    summary: "The last 100 runs of a transformation, newest first",
    permission: read,
    params,
    response: z.object({ items: z.array(TransformationRun) }),
  }),
  cancelRun: endpoint({
    method: "POST",
    path: "/api/v1/knowledge-transformation-runs/{id}/cancel",
    summary: "Cancel a run that has not ended",
    permission: write,
    params,
    response: TransformationRun,
  }),
};

export const knowledgeTransformationContract = defineContract({
  reference: {
    name: "Knowledge transformations",
    description: "Prompts of a knowledge base that make other texts of its sources and pages.",
  },
  glossary: {
    transformation: "A prompt of a knowledge base that makes another text of a source or a page.",
  },
  endpoints: knowledgeTransformationEndpoints,
  audit: {
    "transformation.created": "Transformation created",
    "transformation.updated": "Transformation updated",
    "transformation.removed": "Transformation removed",
    "transformation.run": "Transformation run",
  },
});

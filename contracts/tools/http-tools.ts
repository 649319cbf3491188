import { z } from "zod";
import { Empty, Id, Json, JsonObject } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { ToolFinding } from "./tool-findings";
import { Tool, ToolName, ToolTier, toolEffects } from "./tools";

export const httpMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof httpMethods)[number];
export const httpBodyTypes = ["json", "form", "text"] as const;

const template = z.string().max(4_000);
const templates = z
  .record(z.string().min(1).max(200), template)
  .refine((map) => Object.keys(map).length <= 100, "at most 100 entries")
  .default({});

/** Address of one origin, with `{name}` placeholders after the host. */
const UrlTemplate = z
  .string()
  .trim()
  .max(2_000)
  .regex(/^https?:\/\/[^/?#{}\s]+(?:[/?][^#\s]*)?$/i, "must be an http or https address whose host has no placeholder")
  .refine((text) => URL.canParse(text.replace(/\{\w+\}/g, "x")), "is not a URL")
  .refine((text) => !text.split(/[/?]/)[2]?.includes("@"), "must not hold a user name or password: use an auth profile");

export const HttpRequestTemplate = z.strictObject({
  method: z.enum(httpMethods),
  url: UrlTemplate.describe("`{name}` in path or query takes an argument, encoded. The host is fixed."),
  query: templates.describe("Query parameters. `{{name}}` takes an argument; a parameter without its argument is left out."),
  headers: templates.describe("Without credentials: those belong into an auth profile. `{{name}}` takes an argument."),
  bodyTemplate: Json.nullable()
    .default(null)
    .describe("`{{name}}` alone keeps the argument's type. `null`: arguments that are used nowhere else are sent as a JSON object."),
  bodyType: z.enum(httpBodyTypes).default("json"),
  commaLists: z.array(z.string().max(200)).max(100).default([]).describe("Query parameters that send a list as one value with commas."),
  authProfileId: Id.nullable().default(null).describe("Adds a credential that no model sees; it must be bound to the origin of `url`."),
});
export type HttpRequestTemplate = z.infer<typeof HttpRequestTemplate>;

const description = z.string().trim().min(1, "tells the model what the tool does").max(4_000);

export const HttpToolDraft = z
  .strictObject({
    name: ToolName.refine((name) => !name.includes("__"), "two underscores in a row are reserved for MCP tools"),
    title: z.string().trim().min(1).max(120).optional(),
    description,
    inputSchema: JsonObject.default({ type: "object", properties: {} }).describe("JSON Schema of the arguments."),
    http: HttpRequestTemplate,
    effect: z.enum(toolEffects).optional().describe("Default by method: GET and HEAD read, DELETE destroys, the others write."),
    tier: ToolTier.default("extension").describe("The tool's first tier; later changes go to `disclosure-tier`."),
    timeoutMs: z.number().int().min(100).max(300_000).default(30_000),
  })
  .meta({
    examples: [
      {
        name: "get_weather",
        description: "Weather of a city",
        inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        http: { method: "GET", url: "https://api.example.com/weather/{city}" },
      },
    ],
  });
export type HttpToolDraft = z.infer<typeof HttpToolDraft>;

export const HttpTool = Tool.extend({
  http: HttpRequestTemplate,
  api: z.string().nullable().describe("Name of the API whose OpenAPI document the tool comes from."),
}).meta({ id: "HttpTool" });
export type HttpTool = z.infer<typeof HttpTool>;

/** Name of an imported API: prefix of its tools' names, and their source. */
export const ApiName = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9_]{0,22}[a-z0-9])?$/, "an API's name has 1 to 24 lower-case letters, digits or _")
  .refine((name) => !name.includes("__"), "an API's name cannot contain two underscores in a row");

const documentBytes = 8 * 1_048_576;
export const maxImportedOperations = 300;

export const OpenApiImport = z
  .strictObject({
    document: z.string().min(1).max(documentBytes).optional().describe("The document, JSON or YAML, OpenAPI 3.0 or 3.1."),
    url: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .describe("Address of the document, in place of `document`."),
    api: ApiName.optional().describe("Prefix of the tools' names. Needed to import."),
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(2_000)
      .optional()
      .describe("Address that all requests begin with. Needed to import, because a document may name any host."),
    authProfileId: Id.nullable().default(null),
    tier: ToolTier.default("extension"),
    operations: z
      .array(z.string().min(1).max(2_000))
      .max(maxImportedOperations)
      .default([])
      .describe("Operations to import, as `GET /pets/{id}`. Tools of the API that are not named stay."),
    dryRun: z.boolean().default(false).describe("Answers the tools that the document offers, and changes nothing."),
  })
  .superRefine(({ document, url, api, baseUrl, operations, dryRun }, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    if ((document === undefined) === (url === undefined)) fault("document", "send either document or url");
    if (dryRun) return;
    if (api === undefined) fault("api", "needs a name");
    if (baseUrl === undefined) fault("baseUrl", "confirm the address that requests go to");
    if (operations.length === 0) fault("operations", "choose at least one operation");
  })
  .meta({
    examples: [
      {
        document:
          '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{"/pets":{"get":{"operationId":"listPets","responses":{}}}}}',
        dryRun: true,
      },
    ],
  });
export type OpenApiImport = z.infer<typeof OpenApiImport>;

export const OpenApiOperation = z
  .object({
    operation: z.string().describe("Method and path: `GET /pets/{id}`."),
    name: z.string().describe("Name of its tool."),
    title: z.string(),
    description: z.string(),
    effect: z.enum(toolEffects),
    inputSchema: JsonObject,
    deprecated: z.boolean(),
    refusal: z.string().nullable().describe("Why it cannot become a tool; `null` when it can."),
    notes: z.array(z.string()).describe("What of the operation is not taken."),
    findings: z.array(ToolFinding).describe("Signs of poisoning in its definition."),
    exists: z.boolean().describe("The API has this tool already: importing replaces its definition."),
  })
  .meta({ id: "OpenApiOperation" });
export type OpenApiOperation = z.infer<typeof OpenApiOperation>;

export const OpenApiResult = z
  .object({
    title: z.string(),
    version: z.string(),
    api: z.string().describe("The API's name, or one that the title suggests."),
    servers: z.array(z.string()).describe("Addresses that the document names: suggestions for `baseUrl`."),
    security: z.array(z.string()).describe("Credentials that the API asks for, in words: they become an auth profile."),
    operations: z.array(OpenApiOperation),
    notes: z.array(z.string()),
    added: z.array(ToolName),
    updated: z.array(ToolName),
    refused: z.array(z.object({ operation: z.string(), reason: z.string() })),
  })
  .meta({ id: "OpenApiResult" });
export type OpenApiResult = z.infer<typeof OpenApiResult>;

const params = z.object({ id: z.string().min(1).max(64) });

export const httpToolEndpoints = {
  create: endpoint({
    method: "POST",
    path: "/api/v1/tools",
    summary: "Add a custom HTTP tool",
    permission: "tools:write",
    body: HttpToolDraft,
    response: HttpTool,
    status: 201,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/tools/{id}/http",
    summary: "An HTTP tool with its request, by id or function name",
    permission: "tools:write",
    params,
    response: HttpTool,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/v1/tools/{id}/http",
    summary: "Replace the definition of an HTTP tool; its name, switch, tier and overrides stay",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    body: HttpToolDraft,
    response: HttpTool,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/tools/{id}",
    summary: "Remove an HTTP tool; builtin and MCP tools are switched off instead",
    headers: ["If-Match"],
    permission: "tools:write",
    params,
    response: Empty,
  }),
  importOpenApi: endpoint({
    method: "POST",
    path: "/api/v1/tools/openapi",
    summary: "Make tools of an OpenAPI document's operations; `dryRun` shows them",
    permission: "tools:write",
    body: OpenApiImport,
    maxBodyBytes: 2 * documentBytes,
    response: OpenApiResult,
  }),
};

export const httpToolContract = defineContract({
  reference: { name: "HTTP tools", description: "Requests to an API as tools: one by one, or from an OpenAPI document." },
  glossary: {
    "HTTP tool": "A tool whose calls are requests to an API; written by hand or imported from an OpenAPI document.",
  },
  endpoints: httpToolEndpoints,
  toolSources: ["http"],
  audit: {
    "tool.created": "HTTP tool added",
    "tool.definition_changed": "HTTP tool changed",
    "tool.removed": "HTTP tool removed",
  },
});

import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { endpoints } from "@/contracts";
import { Problem } from "@/contracts/common";
import type { Endpoint, RequestHeader } from "@/contracts/endpoint";
import { type ErrorCode, errorStatuses } from "@/server/platform/errors";

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** Nouns in the order of the reference, each with what it is about. */
const nouns: Record<keyof typeof endpoints, { name: string; description: string }> = {
  conversations: { name: "Conversations", description: "Where an agent's turns, activated tools and files live." },
  turns: {
    name: "Turns",
    description: "The tool calls of one model reply, submitted together. A turn may wait for a person and goes on by itself.",
  },
  jobs: { name: "Jobs", description: "Calls that run in the background; their results come with a later turn." },
  approvals: { name: "Approvals", description: "Questions to people about calls, and their answers." },
  tools: { name: "Tools", description: "What agents may call, and what each tool shows to the model." },
  grants: { name: "Grants", description: "Calls that somebody approved in advance, until it is revoked." },
  delegate: { name: "Delegate", description: "The pipeline that core_execute hands tasks to." },
  mcpServers: { name: "MCP servers", description: "Servers whose tools join the workspace as `alias__tool`." },
  agents: { name: "Agents", description: "Named configurations: which tools an agent sees, and how." },
  guard: { name: "Guard", description: "The policy: rules, default, versions, and what it would decide." },
  policy: {
    name: "Policy",
    description: "The guard's policy as a whole: import and export, versions side by side, and a change tried on recorded calls.",
  },
  hooks: { name: "Hooks", description: "What is done to calls, results and model requests on their way, and what became of each run." },
  audit: { name: "Audit", description: "Everything that was called, decided and changed." },
  artifacts: { name: "Artifacts", description: "Bytes that a call produced." },
  webhooks: { name: "Webhooks", description: "Events sent to addresses of yours, signed, and the log of what became of them." },
  identity: { name: "Identity", description: "Tokens, API keys and members." },
  health: { name: "Health", description: "For whoever watches over the process." },
};

const headers: Record<RequestHeader, { description: string; example: string }> = {
  "Idempotency-Key": {
    description: "Makes a retry safe: the same key with the same body answers what the first one made, and nothing runs twice.",
    example: "5f0c2f7e-1a35-4c4e-9d6c-0b8f3a1c7e21",
  },
  "If-Match": {
    description: "The `etag` of the row as it was read. When somebody changed it since: 412, and nothing changes.",
    example: '"3"',
  },
  "Last-Event-ID": { description: "The id of the last event that arrived; the stream goes on behind it.", example: "7" },
};

const refusals: Record<number, { id: string; description: string }> = {
  400: { id: "Malformed", description: "The request cannot be read: broken JSON, bad UTF-8, a repeated parameter." },
  401: { id: "Unauthenticated", description: "No credentials, or bad ones." },
  403: { id: "Forbidden", description: "The permission is missing, or a browser request came from another site." },
  404: { id: "NotFound", description: "There is nothing under this id in the workspace." },
  409: { id: "Conflict", description: "It does not go together with what is there; `code` and `detail` say why." },
  412: { id: "StaleVersion", description: "Somebody changed the row since it was read. Read it again." },
  413: { id: "TooLarge", description: "The body is too large." },
  422: { id: "Invalid", description: "A value does not fit; `errors` names each." },
  429: { id: "TooManyRequests", description: "Too many attempts; `Retry-After` says how many seconds to wait." },
  500: { id: "Internal", description: "Something went wrong here; give an admin the `requestId`." },
};

/** The OpenAPI 3.1 document of the whole API, made from the contracts. The same contracts, the same bytes. */
export function openApiDocument(): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const noun of Object.keys(nouns) as (keyof typeof endpoints)[]) {
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints[noun])) {
      paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operationOf(noun, name, endpoint) };
    }
  }
  const document: ZodOpenApiObject = {
    openapi: "3.1.0",
    info: {
      title: "Handrail",
      version: "1",
      description:
        "The control plane between AI agents and the tools they use. Every answer is JSON unless said otherwise; every refusal is a problem document (RFC 9457) whose `detail` says what to do next.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This Handrail" }],
    tags: Object.values(nouns),
    security: [{ bearer: [] }, { session: [] }],
    paths,
    components: {
      schemas: { Problem },
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key (`hr_...`) or a token from `POST /api/v1/auth/token`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "handrail.session",
          description:
            "The session of a signed-in browser, `__Secure-handrail.session` over https. A change is accepted only from pages of the same origin.",
        },
      },
      responses: Object.fromEntries(
        Object.entries(refusals).map(([status, { id, description }]) => [
          id,
          {
            description,
            "x-codes": codesOf(Number(status)),
            content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
          },
        ]),
      ),
    },
  };
  return withPlainJson(
    createDocument(document, {
      override: ({ jsonSchema, io }) => {
        // Answers may get new fields at any time; whoever reads them must not refuse those.
        if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // The format says it; the pattern behind it is long and says nothing to people.
        if (jsonSchema.format) delete jsonSchema.pattern;
        if (jsonSchema.type === "object") delete jsonSchema.propertyNames;
      },
    }),
  );
}

/** "Any JSON value" is the empty schema; the generator writes it as several schemas that contain each other. */
function withPlainJson(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document).replaceAll(/"#\/components\/schemas\/(JsonOutput|__schema\d+)"/g, '"#/components/schemas/Json"');
  const plain: OpenApiDocument = JSON.parse(text);
  const schemas = Object.entries(plain.components?.schemas ?? {}).filter(([name]) => !/^(Json|JsonOutput|__schema\d+)$/.test(name));
  schemas.push(["Json", { description: "Any JSON value" }]);
  plain.components = { ...plain.components, schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))) };
  return plain;
}

function operationOf(noun: keyof typeof endpoints, name: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  return {
    operationId: `${noun}_${name}`,
    tags: [nouns[noun].name],
    summary: endpoint.summary,
    description: endpoint.permission ? `Needs the permission \`${endpoint.permission}\`.` : "Open to everybody.",
    "x-permission": endpoint.permission,
    ...(endpoint.permission ? {} : { security: [] }),
    requestParams: parametersOf(endpoint),
    ...(endpoint.headers
      ? {
          parameters: endpoint.headers.map((header) => ({
            in: "header" as const,
            name: header,
            required: false,
            schema: { type: "string" as const },
            ...headers[header],
          })),
        }
      : {}),
    ...(endpoint.body ? { requestBody: { required: true, content: { "application/json": { schema: endpoint.body } } } } : {}),
    responses: { ...successesOf(endpoint), ...refusalsOf(endpoint) },
  };
}

function parametersOf({ params, query }: Endpoint): ZodOpenApiParameters {
  return { ...(params ? { path: params } : {}), ...(query ? { query } : {}) };
}

function successesOf({ response, responseType, status = 200, otherStatuses = {} }: Endpoint): ZodOpenApiResponsesObject {
  const content = response
    ? { "application/json": { schema: response } }
    : { [responseType ?? "application/octet-stream"]: { schema: { type: "string" as const } } };
  const answers = [[status, "Done."], ...Object.entries(otherStatuses)] as const;
  return Object.fromEntries(answers.map(([code, description]) => [String(code), { description, content }]));
}

/** Which refusals an endpoint can answer, read off what it takes. */
function refusalsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const { permission, params, query, body, method, headers = [] } = endpoint;
  const possible: Record<number, boolean> = {
    400: Boolean(query || body || headers.length > 0),
    401: true,
    403: permission !== null || method !== "GET",
    404: Boolean(params),
    409: permission !== null && method !== "GET",
    412: headers.includes("If-Match"),
    413: Boolean(body),
    422: Boolean(query || body),
    429: endpoint.path.startsWith("/api/v1/auth/"),
    500: true,
  };
  return Object.fromEntries(
    Object.entries(refusals).flatMap(([status, { id }]) =>
      possible[Number(status)] ? [[status, { $ref: `#/components/responses/${id}` }]] : [],
    ),
  );
}

/** The codes that a refusal with this status may carry in `code`. */
function codesOf(status: number): string[] {
  if (status === 500) return ["internal"];
  return (Object.keys(errorStatuses) as ErrorCode[]).filter((code) => errorStatuses[code] === status);
}

import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiParameters,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponsesObject,
} from "zod-openapi";
import { contracts } from "@/contracts";
import { Problem } from "@/contracts/common";
import type { Contract } from "@/contracts/define-contract";
import type { Endpoint, RequestHeader } from "@/contracts/endpoint";
import { type ErrorCode, errorStatuses } from "@/server/platform/errors";

export type OpenApiDocument = ReturnType<typeof createDocument>;

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
  429: { id: "TooManyRequests", description: "Too many at once or a minute; `Retry-After` says how many seconds to wait." },
  500: { id: "Internal", description: "Something went wrong here; give an admin the `requestId`." },
};

/** Generates the OpenAPI 3.1 document of the whole API from the contracts. Equal contracts give equal bytes. */
export function openApiDocument(): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const [noun, contract] of Object.entries<Contract>(contracts)) {
    for (const [name, endpoint] of Object.entries(contract.endpoints)) {
      const operation = operationOf(`${noun}_${name}`, contract.reference.name, endpoint);
      paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation };
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
    tags: Object.values<Contract>(contracts).map(({ reference }) => reference),
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
        // Answers may get new fields at any time, so clients must not refuse unknown fields.
        if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // `format` is enough for people; the pattern repeats it at length.
        if (jsonSchema.format) delete jsonSchema.pattern;
        if (jsonSchema.type === "object") delete jsonSchema.propertyNames;
      },
    }),
  );
}

/** Replaces the generator's recursive schemas for "any JSON value" with one empty schema. */
function withPlainJson(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document).replaceAll(/"#\/components\/schemas\/(JsonOutput|__schema\d+)"/g, '"#/components/schemas/Json"');
  const plain: OpenApiDocument = JSON.parse(text);
  const schemas = Object.entries(plain.components?.schemas ?? {}).filter(([name]) => !/^(Json|JsonOutput|__schema\d+)$/.test(name));
  schemas.push(["Json", { description: "Any JSON value" }]);
  plain.components = { ...plain.components, schemas: Object.fromEntries(schemas.sort(([a], [b]) => (a < b ? -1 : 1))) };
  return plain;
}

function operationOf(operationId: string, tag: string, endpoint: Endpoint): ZodOpenApiOperationObject {
  return {
    operationId,
    tags: [tag],
    summary: endpoint.summary,
    ...(endpoint.deprecated ? { deprecated: true } : {}),
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
    ...requestBodyOf(endpoint),
    responses: { ...successesOf(endpoint), ...refusalsOf(endpoint) },
  };
}

function requestBodyOf({ body, requestType }: Endpoint): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (body) return { requestBody: { required: true, content: { [requestType ?? "application/json"]: { schema: body } } } };
  if (!requestType) return {};
  return { requestBody: { required: true, content: { [requestType]: { schema: { type: "string", format: "binary" } } } } };
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

/** Derives the possible refusals of an endpoint from its inputs. */
function refusalsOf(endpoint: Endpoint): ZodOpenApiResponsesObject {
  const { permission, params, query, body, requestType, method, headers = [] } = endpoint;
  const possible: Record<number, boolean> = {
    400: Boolean(query || body || headers.length > 0),
    401: true,
    403: permission !== null || method !== "GET",
    404: Boolean(params),
    409: permission !== null && method !== "GET",
    412: headers.includes("If-Match"),
    413: Boolean(body ?? requestType),
    422: Boolean(query || body),
    429: endpoint.mayBeTooMany === true,
    500: true,
  };
  return Object.fromEntries(
    Object.entries(refusals).flatMap(([status, { id }]) =>
      possible[Number(status)] ? [[status, { $ref: `#/components/responses/${id}` }]] : [],
    ),
  );
}

/** Returns the error codes of a refusal with this status. */
function codesOf(status: number): string[] {
  if (status === 500) return ["internal"];
  return (Object.keys(errorStatuses) as ErrorCode[]).filter((code) => errorStatuses[code] === status);
}

import { z } from "zod";
import { buildSample } from "./build-sample";
import { describeShape, schemaAnchor } from "./describe-shape";
import { JsonSchema } from "./json-schema";
import type { EndpointReference, Field, Reference } from "./reference";

const Content = z.record(z.string(), z.object({ schema: JsonSchema }));
const Parameter = z.object({
  in: z.enum(["path", "query", "header"]),
  name: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(""),
  schema: JsonSchema,
});
type Parameter = z.infer<typeof Parameter>;
const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  "x-permission": z.string().nullable(),
  parameters: z.array(Parameter).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.union([z.object({ $ref: z.string() }), z.object({ description: z.string(), content: Content })])),
});
type Operation = z.infer<typeof Operation>;
const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  components: z.object({
    schemas: z.record(z.string(), JsonSchema),
    responses: z.record(z.string(), z.object({ description: z.string(), "x-codes": z.array(z.string()) })),
  }),
});
type Document = z.infer<typeof Document>;

/**
 * Converts our own OpenAPI document into the reference.
 * @param baseUrl address for the curl commands, without a slash at the end
 */
export function buildReference(openApi: unknown, baseUrl: string): Reference {
  const document = Document.parse(openApi);
  const endpoints = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      noun: operation.tags[0],
      endpoint: endpointOf(document, method.toUpperCase(), path, operation, baseUrl),
    })),
  );
  return {
    nouns: document.tags.map(({ name, description }) => ({
      id: name.toLowerCase().replaceAll(" ", "-"),
      name,
      description,
      endpoints: endpoints.filter(({ noun }) => noun === name).map(({ endpoint }) => endpoint),
    })),
    schemas: Object.entries(document.components.schemas).map(([name, schema]) => ({
      id: schemaAnchor(name),
      name,
      shape: describeShape(schema),
    })),
  };
}

function endpointOf(document: Document, method: string, path: string, operation: Operation, baseUrl: string): EndpointReference {
  const [sent = null] = Object.entries(operation.requestBody?.content ?? {});
  const body = sent && !isBytes(sent[1].schema) ? sent[1].schema : null;
  const answers: EndpointReference["answers"] = [];
  const refusals: EndpointReference["refusals"] = [];
  for (const [status, response] of Object.entries(operation.responses)) {
    if ("$ref" in response) {
      const refusal = document.components.responses[response.$ref.replace("#/components/responses/", "")];
      if (refusal) refusals.push({ status, description: refusal.description, codes: refusal["x-codes"] });
    } else {
      for (const [mediaType, { schema }] of Object.entries(response.content)) {
        answers.push({ status, description: response.description, mediaType, shape: describeShape(schema) });
      }
    }
  }
  return {
    id: operation.operationId,
    method,
    path,
    summary: operation.summary,
    permission: operation["x-permission"],
    parameters: operation.parameters.map(parameterOf),
    body: body ? describeShape(body) : null,
    answers,
    refusals,
    curl: curlOf({
      method,
      address: `${baseUrl}${path}`,
      operation,
      mediaType: sent?.[0] ?? null,
      sample: body ? buildSample(body, document.components.schemas) : undefined,
    }),
  };
}

function parameterOf({ in: place, name, required, description, schema }: Parameter): Field {
  const shape = describeShape(schema);
  return { name, place, required, shape: { ...shape, description: description || shape.description } };
}

const isBytes = (schema: object): boolean => "format" in schema && schema.format === "binary";

type Request = { method: string; address: string; operation: Operation; mediaType: string | null; sample: unknown };

/** Returns a command to paste: `$HANDRAIL_KEY` holds a key, and `$ID` and the like stand for path parameters. */
function curlOf({ method, address, operation, mediaType, sample }: Request): string {
  const url = address.replace(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`);
  const needed = operation.parameters.filter((parameter) => parameter.in === "query" && parameter.required);
  const query = needed.map(({ name, schema }) => `${name}=${encodeURIComponent(String(buildSample(schema, {})))}`).join("&");
  const streams = Object.values(operation.responses).some((response) => "content" in response && "text/event-stream" in response.content);
  const lines = [
    `curl ${streams ? "-N " : ""}${method === "GET" ? "" : `-X ${method} `}"${url}${query ? `?${query}` : ""}"`,
    ...(operation["x-permission"] ? [`-H "Authorization: Bearer $HANDRAIL_KEY"`] : []),
    ...(mediaType === null
      ? []
      : [`-H "Content-Type: ${mediaType}"`, sample === undefined ? "--data-binary @FILE" : `-d ${quoted(JSON.stringify(sample))}`]),
  ];
  return lines.join(" \\\n  ");
}

/** Quotes a text for a POSIX shell, which interprets nothing inside single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

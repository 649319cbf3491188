import "server-only";
import { and, eq } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { HttpMethod, HttpRequestTemplate, HttpToolDraft } from "@/contracts/tools/http-tools";
import type { ToolFinding } from "@/contracts/tools/tool-findings";
import type { ToolEffect } from "@/contracts/tools/tools";
import type { Db } from "@/db/client";
import { authProfiles } from "@/db/schema";
import { headersFault, urlFault } from "@/server/capabilities/network/guarded-http";
import { schemaFault } from "@/server/mcp/connect/schemas/argument-check";
import { completeSchema, findPrimaryArgument } from "@/server/mcp/connect/schemas/input-schema";
import { cleanLine, cleanText } from "@/server/mcp/connect/text/clean-text";
import { AppError, type FieldError } from "@/server/platform/errors";
import { inspectDefinition } from "@/server/tools/definitions/inspect-definition";
import type { ToolFacts } from "./make-http-tool";
import { argumentsByPart, argumentsIn, placeholder, urlPlaceholder } from "./placeholders";

export type CheckedDefinition = {
  facts: ToolFacts;
  request: Omit<HttpRequestTemplate, "authProfileId">;
  authProfileId: string | null;
  /** Signs of poisoning, in the definition as it was sent. */
  findings: ToolFinding[];
};

export const effectOfMethod = (method: HttpMethod): ToolEffect =>
  method === "GET" || method === "HEAD" ? "read" : method === "DELETE" ? "destroy" : "write";

/**
 * Checks a draft and returns the columns of its tool.
 * @param family the API's name, or "http" for a single tool
 * @throws AppError `invalid` with every fault at its field
 */
export async function checkDefinition(tx: Db, workspaceId: string, draft: HttpToolDraft, family: string): Promise<CheckedDefinition> {
  const { authProfileId, ...request } = draft.http;
  const { schema, fault } = completeSchema(draft.inputSchema);
  const inputSchema = withRequired(schema, argumentsIn(request.url, urlPlaceholder));
  const errors: FieldError[] = [];
  const compileFault = fault ?? schemaFault(inputSchema);
  if (compileFault) errors.push({ path: "inputSchema", message: compileFault });
  errors.push(...placeholderFaults(request, inputSchema), ...addressFaults(request));
  const profileFault = authProfileId === null ? null : await faultOfProfile(tx, workspaceId, authProfileId, request.url);
  if (profileFault) errors.push({ path: "http.authProfileId", message: profileFault });
  const [first] = errors;
  if (first) throw new AppError("invalid", `The tool is not valid: ${first.path} ${first.message}`, { errors });
  return {
    request,
    authProfileId,
    findings: inspectDefinition(draft),
    facts: {
      name: draft.name,
      title: cleanLine(draft.title ?? "", 120) || draft.name,
      description: cleanText(draft.description, 4_000),
      rawName: draft.name,
      family,
      effect: draft.effect ?? effectOfMethod(request.method),
      primaryArgument: findPrimaryArgument(inputSchema),
      inputSchema,
      defaultTier: draft.tier,
      defaultTimeoutMs: draft.timeoutMs,
    },
  };
}

/** Requires the arguments of the address, and refuses unknown arguments, because a request would drop or pass them unseen. */
function withRequired(schema: JsonObject, inAddress: readonly string[]): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const all = [...new Set([...required, ...inAddress])];
  return { additionalProperties: false, ...schema, ...(all.length > 0 ? { required: all } : {}) };
}

function placeholderFaults(request: CheckedDefinition["request"], schema: JsonObject): FieldError[] {
  const known = isJsonObject(schema.properties) ? Object.keys(schema.properties) : [];
  const parts = argumentsByPart(request);
  const unknown = parts.flatMap(({ path, names }) =>
    names
      .filter((name) => !known.includes(name))
      .map((name) => ({ path, message: `takes the argument ${name}, which inputSchema.properties does not have` })),
  );
  const used = new Set(parts.flatMap(({ names }) => names));
  const unused = known.filter((name) => !used.has(name));
  const hasTemplate = request.bodyTemplate !== null && !["GET", "HEAD", "DELETE"].includes(request.method);
  return hasTemplate && unused.length > 0
    ? [...unknown, { path: "http.bodyTemplate", message: `does not take ${unused.join(", ")}: write {{${unused[0]}}} where it belongs` }]
    : unknown;
}

function addressFaults({ url, headers, method, bodyTemplate }: CheckedDefinition["request"]): FieldError[] {
  const address = urlFault(url.replace(urlPlaceholder, "x"));
  const sent = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, text.replace(placeholder, "x")]));
  const header = headersFault(sent);
  const hasNoBody = bodyTemplate !== null && ["GET", "HEAD", "DELETE"].includes(method);
  return [
    ...(address ? [{ path: "http.url", message: address }] : []),
    ...(header ? [{ path: "http.headers", message: `${header} A credential belongs into an auth profile.` }] : []),
    ...(hasNoBody ? [{ path: "http.bodyTemplate", message: `is not sent with ${method}: use query` }] : []),
  ];
}

async function faultOfProfile(tx: Db, workspaceId: string, id: string, url: string): Promise<string | null> {
  const [profile] = await tx
    .select({ name: authProfiles.name, origin: authProfiles.origin })
    .from(authProfiles)
    .where(and(eq(authProfiles.workspaceId, workspaceId), eq(authProfiles.id, id)))
    .for("share");
  if (!profile) return "is no auth profile of this workspace";
  const { origin } = new URL(url.replace(urlPlaceholder, "x"));
  return origin === profile.origin ? null : `belongs to ${profile.origin} and not to ${origin}: its secret stays at its origin`;
}

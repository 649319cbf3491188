import "server-only";
import { and, eq, inArray } from "drizzle-orm";
import { ApiName, HttpToolDraft, type OpenApiImport, type OpenApiOperation, type OpenApiResult } from "@/contracts/tools/http-tools";
import type { Db } from "@/db/client";
import { guardConfig, httpTools, tools } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { guardedHttp } from "@/server/capabilities/network/guarded-http";
import { cleanLine } from "@/server/mcp/connect/text/clean-text";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { fieldErrors } from "@/server/platform/field-errors";
import { describeHidden } from "@/server/tools/definitions/hidden-characters";
import { inspectDefinition } from "@/server/tools/definitions/inspect-definition";
import { effectOfMethod } from "../check-definition";
import { lockHttpTool } from "../find-http-tool";
import { insertHttpTool, replaceHttpTool } from "../save-http-tool";
import { readDocument } from "./read-document";
import { type ReadOperation, readOperations, securityWords, serversIn, snakeCase } from "./read-operations";

const maxDocumentBytes = 8 * 1_048_576;
const fetchTimeoutMs = 30_000;

type Importer = Authorized<"tools:write">;

/**
 * Reads an OpenAPI document and shows its operations as tools. Without `dryRun`, the chosen operations become tools in
 * one transaction; an operation that cannot is refused with the reason, and the others are imported.
 * @throws AppError `invalid` for a document that cannot be read
 */
export async function importOpenApi(actor: Importer, asked: OpenApiImport, signal: AbortSignal): Promise<OpenApiResult> {
  const document = readDocument(asked.document ?? (await fetchDocument(actor.workspaceId, asked.url ?? "", signal)));
  const api = asked.api ?? suggestedName(document.title);
  const { operations, notes } = await readOperations(document, api);
  const known = await knownTools(db(), actor.workspaceId, operations);
  const shown = operations.map((operation) => present(operation, known.get(operation.name), api));
  const outcome = asked.dryRun ? { added: [], updated: [], refused: [] } : await importChosen(actor, asked, api, operations);
  return {
    title: cleanLine(document.title, 200),
    version: cleanLine(document.version, 100),
    api,
    servers: serversIn(document),
    security: securityWords(document),
    // The answer of an import repeats only what was asked for.
    operations: asked.dryRun ? shown : shown.filter(({ operation }) => asked.operations.includes(operation)),
    notes: document.hidden.size > 0 ? [hiddenNote(document.hidden), ...notes] : notes,
    ...outcome,
  };
}

const hiddenNote = (hidden: ReadonlyMap<string, number>): string =>
  `The document holds characters that nobody sees: ${describeHidden(hidden)}. Handrail removed them. Ask where the document comes from before you import it.`;

async function importChosen(actor: Importer, asked: OpenApiImport, api: string, operations: readonly ReadOperation[]) {
  const added: string[] = [];
  const updated: string[] = [];
  const refused: OpenApiResult["refused"] = [];
  const chosen = [...new Set(asked.operations)];
  const byOperation = new Map(operations.map((operation) => [operation.operation, operation]));
  await db().transaction(async (tx) => {
    const known = await knownTools(tx, actor.workspaceId, operations);
    for (const wanted of chosen) {
      const operation = byOperation.get(wanted);
      try {
        if (!operation) throw new AppError("not_found", "The document has no such operation.");
        if (operation.refusal) throw new AppError("invalid", operation.refusal);
        const draft = draftOf(operation, asked);
        const before = known.get(operation.name);
        if (before?.api === api)
          await replaceHttpTool(tx, actor, await lockHttpTool(tx, actor.workspaceId, before.id, null), { draft, api });
        else await insertHttpTool(tx, actor, { draft, api });
        (before?.api === api ? updated : added).push(operation.name);
      } catch (error) {
        if (!isAppError(error)) throw error;
        refused.push({ operation: wanted, reason: error.message });
      }
    }
  });
  return { added, updated, refused };
}

/** @throws AppError `invalid` for an operation whose request is not acceptable */
function draftOf(
  { name, title, description, inputSchema, request: { path, ...request } }: ReadOperation,
  asked: OpenApiImport,
): HttpToolDraft {
  const url = `${(asked.baseUrl ?? "").replace(/\/+$/, "")}${path}`;
  const http = { ...request, url, authProfileId: asked.authProfileId };
  const draft = HttpToolDraft.safeParse({ name, title, description, inputSchema, http, tier: asked.tier });
  if (draft.success) return draft.data;
  const [first] = fieldErrors(draft.error);
  throw new AppError("invalid", `${first?.path} ${first?.message}.`);
}

type Known = { id: string; name: string; api: string | null };

/** Finds tools of the workspace that have the names of operations, with the API that each belongs to. */
async function knownTools(tx: Db, workspaceId: string, operations: readonly ReadOperation[]): Promise<Map<string, Known>> {
  const names = operations.map(({ name }) => name);
  if (names.length === 0) return new Map();
  const rows = await tx
    .select({ id: tools.id, name: tools.name, api: httpTools.api })
    .from(tools)
    .leftJoin(httpTools, eq(httpTools.toolId, tools.id))
    .where(and(eq(tools.workspaceId, workspaceId), inArray(tools.name, names)));
  return new Map(rows.map((row) => [row.name, row]));
}

function present(read: ReadOperation, known: Known | undefined, api: string): OpenApiOperation {
  const { operation, name, title, description, method, inputSchema, deprecated, refusal, notes } = read;
  const taken = known && known.api !== api ? `A tool named ${name} exists already. Choose another name for the API.` : null;
  return {
    operation,
    name,
    title,
    description,
    effect: effectOfMethod(method),
    inputSchema,
    deprecated,
    notes,
    findings: inspectDefinition({ name, title, description, inputSchema }),
    refusal: refusal ?? taken,
    exists: known?.api === api,
  };
}

/** Returns a name that an API can have, from its title: `Swagger Petstore!` becomes `swagger_petstore`. */
function suggestedName(title: string): string {
  const name = snakeCase(title).slice(0, 24).replace(/_+$/, "");
  return ApiName.safeParse(name).success ? name : "api";
}

/** Fetches a document through the guarded client, which refuses private addresses that no admin allowed. */
async function fetchDocument(workspaceId: string, url: string, signal: AbortSignal): Promise<string> {
  const [config] = await db().select({ hosts: guardConfig.allowedHosts }).from(guardConfig).where(eq(guardConfig.workspaceId, workspaceId));
  const http = guardedHttp({ privateHosts: (config?.hosts ?? []).filter((host) => /:\d+$/.test(host)) });
  const until = AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)]);
  const answer = await http
    .fetch(url, { method: "GET", signal: until, maxBytes: maxDocumentBytes, followRedirects: true })
    .catch((error) => {
      if (isAppError(error)) throw error;
      throw new AppError("timed_out", "The address of the document did not answer in time. Paste the document instead.");
    });
  if (answer.status !== 200)
    throw new AppError("invalid", `The address of the document answers HTTP ${answer.status}. Check it, or paste the document.`);
  if (answer.truncated) throw new AppError("invalid", "The document is larger than 8 MiB. Paste a smaller one.");
  return new TextDecoder().decode(answer.bytes);
}

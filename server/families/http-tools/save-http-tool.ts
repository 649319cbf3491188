import "server-only";
import { eq, sql } from "drizzle-orm";
import type { HttpToolDraft } from "@/contracts/tools/http-tools";
import type { Db } from "@/db/client";
import { httpTools, tools } from "@/db/schema";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { canonicalJson, sha256 } from "@/server/platform/crypto";
import { AppError } from "@/server/platform/errors";
import { repairName } from "@/server/tools/resolve-name";
import { listedRow } from "@/server/tools/sync-tools";
import type { RequestTemplate } from "./build-request";
import { checkDefinition } from "./check-definition";
import { definitionInAudit } from "./definition-in-audit";
import type { HttpToolRow } from "./find-http-tool";
import { makeHttpTool, type ToolFacts } from "./make-http-tool";

type Saving = { draft: HttpToolDraft; api: string | null };
const standalone = "http";

/** Inserts an HTTP tool with its audit row. @throws AppError `invalid`, `conflict` for a taken name */
export async function insertHttpTool(tx: Db, actor: Authorized<"tools:write">, { draft, api }: Saving): Promise<string> {
  const { workspaceId } = actor;
  const { facts, request, authProfileId, findings } = await checkDefinition(tx, workspaceId, draft, api ?? standalone);
  await refuseTakenName(tx, workspaceId, draft.name);
  const row = {
    ...listedRow({ workspaceId, mcpServerId: null }, makeHttpTool(facts, request, null)),
    findings,
    schemaHash: hashDefinition(facts, request, authProfileId),
  };
  const [inserted] = await tx
    .insert(tools)
    .values(row)
    .onConflictDoNothing({ target: [tools.workspaceId, tools.name] })
    .returning({ id: tools.id });
  if (!inserted) throw taken(draft.name);
  await tx.insert(httpTools).values({ toolId: inserted.id, workspaceId, api, request, authProfileId });
  await recordConfigChange(tx, {
    workspaceId,
    event: "tool.created",
    actor: toActorRef(actor),
    subject: draft.name,
    tool: draft.name,
    data: definitionInAudit({ effect: facts.effect, request, authProfileId, api }),
    requestId: actor.requestId,
  });
  return inserted.id;
}

/**
 * Replaces the definition of a locked HTTP tool with its audit row. The name and the settings of admins stay.
 * @throws AppError `invalid`, `conflict` for another name
 */
export async function replaceHttpTool(
  tx: Db,
  actor: Authorized<"tools:write">,
  before: HttpToolRow,
  { draft, api }: Saving,
): Promise<void> {
  const { tool, definition } = before;
  if (draft.name !== tool.name) {
    throw new AppError(
      "conflict",
      `${tool.name} cannot be renamed, because rules and agents name it. Add a tool ${draft.name}, then remove this one.`,
    );
  }
  const { facts, request, authProfileId, findings } = await checkDefinition(tx, actor.workspaceId, draft, api ?? standalone);
  const { defaultTier, ...row } = listedRow({ workspaceId: actor.workspaceId, mcpServerId: null }, makeHttpTool(facts, request, null));
  await tx
    .update(tools)
    .set({ ...row, findings, schemaHash: hashDefinition(facts, request, authProfileId), version: sql`${tools.version} + 1` })
    .where(eq(tools.id, tool.id));
  await tx.update(httpTools).set({ request, authProfileId }).where(eq(httpTools.toolId, tool.id));
  await recordConfigChange(tx, {
    workspaceId: actor.workspaceId,
    event: "tool.definition_changed",
    actor: toActorRef(actor),
    subject: tool.name,
    tool: tool.name,
    data: {
      ...definitionInAudit({ effect: facts.effect, request, authProfileId, api }),
      before: definitionInAudit({ ...definition, effect: tool.effect }),
    },
    requestId: actor.requestId,
  });
}

/** Hashes schema and request: an approval is bound to this hash, so it is void once the request goes elsewhere. */
function hashDefinition({ inputSchema }: ToolFacts, request: RequestTemplate, authProfileId: string | null): string {
  return sha256(canonicalJson({ inputSchema, request, authProfileId }));
}

/** Refuses a name that a call would resolve to another tool, by its name, an alias or another spelling of one. */
async function refuseTakenName(tx: Db, workspaceId: string, name: string): Promise<void> {
  const rows = await tx.select({ name: tools.name, aliases: tools.aliases }).from(tools).where(eq(tools.workspaceId, workspaceId));
  const spelling = repairName(name);
  const other = rows.find((tool) => [tool.name, ...tool.aliases].some((known) => known === name || repairName(known) === spelling));
  if (!other) return;
  throw taken(name, other.name, other.aliases.includes(name) ? "name" : "spelling");
}

function taken(name: string, owner = name, kind: "name" | "spelling" = "name"): AppError {
  const message = owner === name ? `A tool named ${name} exists already.` : `${name} is another ${kind} of the tool ${owner}.`;
  return new AppError("conflict", `${message} Choose another name.`, { errors: [{ path: "name", message: "is taken" }] });
}

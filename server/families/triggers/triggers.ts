import "server-only";
import { randomBytes } from "node:crypto";
import { and, desc, eq, inArray, lt } from "drizzle-orm";
import {
  type Trigger,
  type TriggerDraft,
  type TriggerFiring,
  type TriggerWithSecret,
  triggerEndpoints,
} from "@/contracts/automation/triggers";
import type { Db } from "@/db/client";
import { agents, messengers, triggerFirings, triggers as triggerTable, workflows } from "@/db/schema";
import { type Actor, type Authorized, toActorRef } from "@/server/auth/actor";
import { seal } from "@/server/platform/crypto";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";

export type TriggerRow = typeof triggerTable.$inferSelect;

const maxTriggers = 200;

/** Triggers of a workspace. What they start has the permissions of the person who made them. */
export const triggers = defineResource({
  table: triggerTable,
  endpoints: triggerEndpoints,
  noun: "trigger",
  present,
  inAudit: ({ name, kind, agentId, workflowId, template, enabled }) => ({ name, kind, agentId, workflowId, template, enabled }),
  toColumns: async (draft, { before, actor, tx }) => {
    requireUnbound(actor);
    await assertNamed(tx, actor.workspaceId, draft);
    if (before && before.kind !== draft.kind) refuse("kind", "A trigger keeps its kind. Add another one.");
    if (before) return { ...draft, lastError: null };
    if ((await tx.$count(triggerTable, eq(triggerTable.workspaceId, actor.workspaceId))) >= maxTriggers)
      throw new AppError("conflict", `A workspace has at most ${maxTriggers} triggers. Remove one that is not needed any more.`);
    return { ...draft, createdBy: toActorRef(actor) };
  },
});

function refuse(path: string, message: string): never {
  throw new AppError("invalid", message, { errors: [{ path, message }] });
}

/** A key that is bound to one agent must not start others. */
function requireUnbound(actor: Actor): void {
  if (actor.agentId) throw new AppError("forbidden", `The API key "${actor.name}" is bound to one agent, so it makes no triggers.`);
}

/** @throws AppError `invalid` for a thing that is not in the workspace */
async function assertNamed(tx: Db, workspaceId: string, draft: TriggerDraft): Promise<void> {
  const named = [
    ["agentId", agents, draft.agentId, "agent"],
    ["ofAgentId", agents, draft.ofAgentId, "agent"],
    ["workflowId", workflows, draft.workflowId, "workflow"],
    ["ofWorkflowId", workflows, draft.ofWorkflowId, "workflow"],
    ["messengerId", messengers, draft.messengerId, "messenger"],
  ] as const;
  for (const [path, table, id, noun] of named) {
    if (id === null) continue;
    const found = await tx.$count(table, and(eq(table.workspaceId, workspaceId), eq(table.id, id)));
    if (found === 0) refuse(path, `There is no such ${noun} in this workspace.`);
  }
}

const makeSecret = (): string => `hrt_${randomBytes(32).toString("base64url")}`;

type Writer = Authorized<"schedules:write">;

/** Adds a trigger; only this response has the secret. */
export async function createTrigger({ actor, body }: { actor: Writer; body: TriggerDraft }): Promise<TriggerWithSecret> {
  const secret = body.kind === "webhook" ? makeSecret() : null;
  return { ...(await triggers.insert(actor, body, { secretSealed: secret && seal(secret) })), secret };
}

/** @throws AppError `not_found`; `conflict` for a trigger that no webhook starts */
export async function rotateTriggerSecret({ actor, params }: { actor: Writer; params: { id: string } }): Promise<TriggerWithSecret> {
  const { kind } = await triggers.find(actor.workspaceId, params.id);
  requireUnbound(actor);
  if (kind !== "webhook") throw new AppError("conflict", "Only a trigger of the kind webhook has a secret.");
  const secret = makeSecret();
  const change = {
    event: "trigger.secret_rotated",
    set: { secretSealed: seal(secret) },
    data: ({ name }: TriggerRow) => ({ name }),
  } as const;
  return { ...(await triggers.change(actor, params.id, change)), secret };
}

async function present(rows: readonly TriggerRow[], tx: Db): Promise<Trigger[]> {
  const idsOf = (read: (row: TriggerRow) => string | null) => rows.flatMap((row) => read(row) ?? []);
  const names = new Map(
    [
      ...(await tx
        .select({ id: agents.id, name: agents.name })
        .from(agents)
        .where(
          inArray(
            agents.id,
            idsOf(({ agentId }) => agentId),
          ),
        )),
      ...(await tx
        .select({ id: workflows.id, name: workflows.name })
        .from(workflows)
        .where(
          inArray(
            workflows.id,
            idsOf(({ workflowId }) => workflowId),
          ),
        )),
    ].map(({ id, name }) => [id, name]),
  );
  // Named one by one, so that no column of a secret is shown.
  return rows.map(
    ({ id, name, kind, messengerId, words, ofAgentId, statuses, ofWorkflowId, agentId, workflowId, template, enabled, ...row }) => ({
      ...{ id, name, kind, messengerId, words, ofAgentId, statuses, ofWorkflowId, agentId, workflowId, template, enabled },
      target: names.get(agentId ?? workflowId ?? "") ?? "",
      address: kind === "webhook" ? `${env().publicUrl.replace(/\/+$/, "")}/api/v1/triggers/${id}/events` : null,
      lastFiredAt: row.lastFiredAt?.toISOString() ?? null,
      lastError: row.lastError,
      createdBy: row.createdBy,
      version: row.version,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }),
  );
}

/** Finds a trigger; a bound key sees those that start its agent. @throws AppError `not_found` */
async function findVisible({ workspaceId, agentId }: Actor, id: string): Promise<TriggerRow> {
  const row = await triggers.find(workspaceId, id);
  if (agentId !== null && row.agentId !== agentId) throw triggers.missing();
  return row;
}

type Page = { limit?: number | undefined; cursor?: string | undefined };

/** Lists triggers; a bound key sees those that start its agent. */
export async function listTriggers({ actor, query }: { actor: Authorized<"turns:read">; query: Page }) {
  const { items, nextCursor } = await triggers.list({ actor, query });
  return { items: items.filter(({ agentId }) => actor.agentId === null || agentId === actor.agentId), nextCursor };
}

/** @throws AppError `not_found` */
export async function getTrigger({ actor, params }: { actor: Authorized<"turns:read">; params: { id: string } }): Promise<Trigger> {
  await findVisible(actor, params.id);
  return triggers.get({ actor, params });
}

/** Lists what started a trigger, newest first. @throws AppError `not_found` */
export async function listFirings(
  actor: Authorized<"turns:read">,
  triggerId: string,
  { limit = 50, cursor }: { limit?: number; cursor?: string },
): Promise<{ items: TriggerFiring[]; nextCursor: string | null }> {
  await findVisible(actor, triggerId);
  const found = await db()
    .select()
    .from(triggerFirings)
    .where(
      and(
        eq(triggerFirings.triggerId, triggerId),
        cursor === undefined ? undefined : lt(triggerFirings.id, decodeCursor(cursor, IdCursor)[0]),
      ),
    )
    .orderBy(desc(triggerFirings.id))
    .limit(limit + 1);
  const { rows, nextCursor } = toPage(found, limit, ({ id }) => [id]);
  return {
    items: rows.map(({ workspaceId: _, key: __, digest: ___, createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() })),
    nextCursor,
  };
}

import "server-only";
import { and, count, eq, inArray } from "drizzle-orm";
import { type Messenger, type MessengerDraft, messengerEndpoints } from "@/contracts/messengers/messengers";
import type { Db } from "@/db/client";
import { agents, messengerOutbound, messengers as messengerTable } from "@/db/schema";
import type { Actor } from "@/server/auth/actor";
import { toActorRef } from "@/server/auth/actor";
import { assertProvider } from "@/server/models/assert-provider";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { AppError } from "@/server/platform/errors";
import { defineResource } from "@/server/resources/define-resource";
import { callbackAddressOf, openSecrets } from "./account";
import { assertDraft, destinationsOf } from "./assert-draft";
import { syncMessengerTools } from "./messenger-tools";

type Row = typeof messengerTable.$inferSelect;

/** Accounts on platforms; their secrets are sealed. An update without a secret keeps the stored one. */
export const messengers = defineResource({
  table: messengerTable,
  endpoints: messengerEndpoints,
  noun: "messenger",
  present,
  inAudit: ({ name, platform, transport, agentId, writers, needsMention, approvals, speechModel, enabled }) => ({
    ...{ name, platform, transport, agentId, writers, needsMention, approvals, speechModel, enabled },
  }),
  toColumns: async (draft, { before, actor, tx }) => columnsOf(draft, before, actor, tx),
  // The row goes after this: its tools go with it, in one transaction.
  assertRemovable: ({ id, workspaceId }, tx) => syncMessengerTools(tx, workspaceId, { without: id }),
  noteUpdate: ({ secrets }) => ({ secretsChanged: Object.keys(secrets) }),
});

/** Connects an account, with its tools. @throws AppError as `messengers.create` */
export const createMessenger: typeof messengers.create = async (input) => {
  const created = await messengers.create(input);
  await db().transaction((tx) => syncMessengerTools(tx, input.actor.workspaceId));
  return created;
};

async function columnsOf(draft: MessengerDraft, before: Row | null, actor: Actor, tx: Db) {
  const { secrets, settings: given, ...rest } = draft;
  const settings = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value.trim() === "" ? [] : [[name, value.trim()]])),
  );
  if (before && before.platform !== draft.platform)
    throw invalid("platform", "A messenger keeps its platform, because its chats belong to it. Connect another messenger.");
  await assertAgent(tx, actor.workspaceId, draft.agentId);
  if (draft.speechModel) await assertProvider(tx, actor.workspaceId, "speechModel", draft.speechModel);
  const isMoved = before !== null && destinationsOf(before.settings) !== destinationsOf(settings);
  // Otherwise whoever may change messengers could have stored secrets sent to a server of their choice.
  const kept = before && !isMoved ? openSecrets(before.secretsSealed) : {};
  const merged = assertDraft({ ...draft, settings }, kept);
  return {
    ...rest,
    settings,
    secretsSealed: seal(JSON.stringify(merged)),
    state: draft.enabled ? ("waiting" as const) : ("off" as const),
    lastError: null,
    ...(before ? {} : { createdBy: toActorRef(actor) }),
    ...(isMoved || (before && Object.keys(secrets).length > 0) ? { bot: null } : {}),
  };
}

async function assertAgent(tx: Db, workspaceId: string, agentId: string | null): Promise<void> {
  if (agentId === null) return;
  const [agent] = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, agentId)));
  if (!agent) throw invalid("agentId", "There is no such agent in this workspace. List the agents.");
}

const invalid = (path: string, message: string) => new AppError("invalid", message, { errors: [{ path, message }] });

/** Converts rows to their public form, without the secrets; no other code does. */
async function present(rows: readonly Row[], tx: Db): Promise<Messenger[]> {
  if (rows.length === 0) return [];
  const agentIds = rows.flatMap(({ agentId }) => agentId ?? []);
  const named =
    agentIds.length === 0 ? [] : await tx.select({ id: agents.id, name: agents.name }).from(agents).where(inArray(agents.id, agentIds));
  const problems = await tx
    .select({ messengerId: messengerOutbound.messengerId, status: messengerOutbound.status, parts: count() })
    .from(messengerOutbound)
    .where(
      and(
        inArray(
          messengerOutbound.messengerId,
          rows.map(({ id }) => id),
        ),
        inArray(messengerOutbound.status, ["unknown", "failed"]),
      ),
    )
    .groupBy(messengerOutbound.messengerId, messengerOutbound.status);
  const partsOf = (id: string, status: "unknown" | "failed") =>
    problems.find((found) => found.messengerId === id && found.status === status)?.parts ?? 0;
  // Named one by one, so that no column of a secret that comes later is shown.
  return rows.map(({ id, name, platform, transport, agentId, settings, writers, needsMention, doneSign, streams, ...row }) => ({
    ...{ id, name, platform, transport, agentId, settings, writers, needsMention, doneSign, streams },
    agent: named.find((agent) => agent.id === agentId)?.name ?? null,
    secretNames: Object.keys(openSecretsOrNone(row.secretsSealed)).sort(),
    joinSeconds: row.joinSeconds,
    approvals: row.approvals,
    speechModel: row.speechModel,
    enabled: row.enabled,
    bot: row.bot,
    state: row.state,
    lastError: row.lastError,
    lastErrorAt: row.lastErrorAt?.toISOString() ?? null,
    lastReceivedAt: row.lastReceivedAt?.toISOString() ?? null,
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    callbackAddress: transport === "webhook" ? callbackAddressOf({ id, platform }) : null,
    unknownParts: partsOf(id, "unknown"),
    failedParts: partsOf(id, "failed"),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

/** The page must open with another secret key, too; Doctor says what is wrong. */
function openSecretsOrNone(sealed: string): Record<string, string> {
  try {
    return openSecrets(sealed);
  } catch {
    return {};
  }
}

import "server-only";
import { randomBytes } from "node:crypto";
import { desc, eq, inArray, sql } from "drizzle-orm";
import type { JsonObject } from "@/contracts/common";
import {
  type Webhook,
  type WebhookDraft,
  type WebhookEventName,
  type WebhookWithSecret,
  webhookEndpoints,
} from "@/contracts/hooks/webhooks";
import type { Db } from "@/db/client";
import { webhookDeliveries, webhooks as webhookTable } from "@/db/schema";
import type { Authorized } from "@/server/auth/actor";
import { assertReachableAddress } from "@/server/capabilities/callbacks/assert-reachable-address";
import { seal } from "@/server/platform/crypto";
import { defineResource } from "@/server/resources/define-resource";
import { presentDelivery } from "./deliveries";

type WebhookRow = typeof webhookTable.$inferSelect;
type Writer = Authorized<"hooks:write">;

/** Webhooks, each shown with its newest delivery. Pending deliveries go to the address that an update gives. */
export const webhooks = defineResource({
  table: webhookTable,
  endpoints: webhookEndpoints,
  noun: "webhook",
  present,
  inAudit,
  toColumns: (draft) => {
    assertReachableAddress(draft.url, "url");
    return { ...draft, events: [...new Set(draft.events)] };
  },
  noteUpdate: (_draft, before, after) => ({ addressChanged: after.url !== before.url }),
});

/** Adds a webhook; only this response contains its secret. @throws AppError `conflict` for a taken name, `invalid` for a private address */
export async function createWebhook({ actor, body }: { actor: Writer; body: WebhookDraft }): Promise<WebhookWithSecret> {
  const secret = createWebhookSecret();
  return { ...(await webhooks.insert(actor, body, { secret: seal(secret) })), secret };
}

/** Gives a webhook a new secret, which signs every later try, including retries. @throws AppError `not_found` */
export async function rotateWebhookSecret({ actor, params }: { actor: Writer; params: { id: string } }): Promise<WebhookWithSecret> {
  const secret = createWebhookSecret();
  const change = { event: "webhook.secret_rotated", set: { secret: seal(secret) }, data: ({ name }: WebhookRow) => ({ name }) } as const;
  return { ...(await webhooks.change(actor, params.id, change)), secret };
}

/** Creates a webhook's secret: `whsec_` and 256 random bits. */
const createWebhookSecret = (): string => `whsec_${randomBytes(32).toString("base64url")}`;

async function present(rows: readonly WebhookRow[], tx: Db): Promise<Webhook[]> {
  const lastDeliveries = await findLastDeliveries(
    tx,
    rows.map(({ id }) => id),
  );
  // Named one by one, so that no column of a secret that comes later is shown.
  return rows.map(({ id, name, url, events, enabled, version, createdAt, updatedAt }) => ({
    ...{ id, name, url, enabled, version },
    events: events.filter((event) => event !== "webhook.tested"),
    lastDelivery: lastDeliveries.get(id) ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }));
}

async function findLastDeliveries(tx: Db, ids: string[]) {
  const newest = tx
    .select()
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.webhookId, webhookTable.id))
    .orderBy(desc(webhookDeliveries.id))
    .limit(1)
    .as("newest");
  const found = await tx
    .select({ id: webhookTable.id, delivery: newest._.selectedFields })
    .from(webhookTable)
    .innerJoinLateral(newest, sql`true`)
    .where(inArray(webhookTable.id, ids));
  return new Map(found.map(({ id, delivery }) => [id, presentDelivery(delivery)]));
}

type Settings = { name: string; url: string; events: WebhookEventName[]; enabled: boolean };

/** Returns the audit's form of a webhook: without the whole address, whose path is often a secret of its receiver. */
function inAudit({ name, url, events, enabled }: Settings): JsonObject {
  return { name, host: URL.parse(url)?.host ?? null, events, enabled };
}

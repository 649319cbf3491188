"use client";

import { IconWebhook } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { RowLine, SwitchRow } from "@/components/kit/ui/lists/switch-row";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import type { Webhook, WebhookWithSecret } from "@/contracts/hooks/webhooks";
import { CallbackSecret } from "./callback-secret";
import { deliveryReason } from "./deliveries";
import { DeliveriesSection } from "./deliveries-section";
import { DeliveryStatus } from "./delivery-status";
import { eventLabel } from "./event-words";
import { webhookResource } from "./queries";
import { deliverySearch } from "./search-params";

// Loaded after the page, because a drawer opens only on a click.
const WebhookDrawer = dynamic(() => import("./webhook-drawer").then((file) => file.WebhookDrawer), { ssr: false });
const WebhookSecret = dynamic(() => import("./webhook-secret").then((file) => file.WebhookSecret), { ssr: false });

/** The webhooks of the workspace and their deliveries. */
export function WebhooksView() {
  const page = useResourcePage(webhookResource, { title: "Webhooks", address: "webhook", permission: "hooks:write", isForAdmins: true });
  const { list, rows: webhooks, refusal } = page;
  const [, setSearch] = useQueryStates(deliverySearch);
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null);
  const addButton = <AddButton noun="webhook" page={page} />;
  return (
    <>
      <PageHeader title="Webhooks" description="Send events to your systems. Signed, retried for 24 h, logged for 30 days.">
        {refusal === null ? (
          <>
            <CallbackSecret />
            {webhooks.length === 0 ? null : addButton}
          </>
        ) : null}
      </PageHeader>
      {refusal !== null ? (
        <AdminsOnly what="webhooks" reason={refusal} />
      ) : (
        <>
          <Loaded query={list} what="the webhooks" rows={2} height={4.5}>
            {() =>
              webhooks.length === 0 ? (
                <EmptyState icon={IconWebhook} title="No webhooks yet" action={addButton}>
                  Add a webhook to tell your program at once when a turn finishes or a call needs approval.
                </EmptyState>
              ) : (
                <ul className={rows.rows}>
                  {webhooks.map((webhook) => (
                    <WebhookRow
                      key={webhook.id}
                      webhook={webhook}
                      onOpen={() => page.open(webhook.id)}
                      onSwitch={(enabled) => page.switchEnabled(webhook, enabled)}
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <DeliveriesSection webhooks={webhooks} onOpenWebhook={page.open} />
          <WebhookDrawer
            page={page}
            onSecret={(webhook) => {
              // Closes the drawer first: Escape does nothing in the secret's dialog, but would close the drawer behind.
              page.close();
              setSecret(webhook);
            }}
            onShowDeliveries={(of) => {
              page.close();
              void setSearch({ of, status: null, turn: null });
            }}
          />
          {secret ? (
            <WebhookSecret
              webhook={secret}
              onDone={() => {
                setSecret(null);
                page.open(secret.id);
              }}
            />
          ) : null}
        </>
      )}
    </>
  );
}

type WebhookRowProps = { webhook: Webhook; onOpen: () => void; onSwitch: (enabled: boolean) => void };

function WebhookRow({ webhook: { id, name, url, events, enabled, lastDelivery }, onOpen, onSwitch }: WebhookRowProps) {
  const reason = lastDelivery && deliveryReason(lastDelivery);
  return (
    <SwitchRow
      name={name}
      enabled={enabled}
      href={`?webhook=${id}`}
      aside={
        lastDelivery ? (
          <>
            <DeliveryStatus delivery={lastDelivery} />
            <RelativeTime at={lastDelivery.lastAttemptAt ?? lastDelivery.createdAt} />
          </>
        ) : (
          "Nothing sent yet"
        )
      }
      onOpen={onOpen}
      onSwitch={onSwitch}
    >
      <RowLine text={url} kind="code" />
      <RowLine text={events.map(eventLabel).join(", ")} />
      {reason ? <RowLine text={reason} kind="error" /> : null}
    </SwitchRow>
  );
}

"use client";

import { Button } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsBoolean, parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { useShortcuts } from "@/components/keyboard/shortcuts";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { useRefusal } from "@/components/session/me";
import { AdminsOnly } from "@/components/settings-frame/admins-only";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import rows from "@/components/ui/rows.module.css";
import type { WebhookWithSecret } from "@/contracts/webhooks";
import { CallbackSecret } from "./callback-secret";
import { DeliveriesSection } from "./deliveries-section";
import { webhookQueries } from "./queries";
import { deliverySearch } from "./search-params";
import { WebhookRow } from "./webhook-row";

// Loaded after the page, because a drawer opens only on a click.
const WebhookDrawer = dynamic(() => import("./webhook-drawer").then((file) => file.WebhookDrawer), { ssr: false });
const DeliveryDrawer = dynamic(() => import("./delivery-drawer").then((file) => file.DeliveryDrawer), { ssr: false });
const NewSecret = dynamic(() => import("./new-secret").then((file) => file.NewSecret), { ssr: false });

const inTheAddress = { webhook: parseAsString, edit: parseAsBoolean.withDefault(false), delivery: parseAsString };

/** The webhooks of the workspace and their deliveries. */
export function WebhooksView() {
  const refusal = useRefusal("hooks:write");
  const webhooks = useQuery({ ...webhookQueries.list(), enabled: refusal === null });
  const [address, setAddress] = useQueryStates(inTheAddress, { history: "push" });
  const [search, setSearch] = useQueryStates(deliverySearch);
  const [secret, setSecret] = useState<WebhookWithSecret | null>(null);
  useRowKeys("Webhooks");
  const open = (webhook: string | null) => void setAddress({ webhook, edit: null, delivery: null });
  const add = () => {
    if (refusal === null) open("new");
  };
  useShortcuts([{ keys: "n", label: "Add a webhook", group: "Webhooks", run: add }]);

  const items = webhooks.data?.items ?? [];
  const addButton = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
      Add webhook
    </Button>
  );
  return (
    <>
      <PageHeader title="Webhooks" description="Send events to your systems. Signed, retried for 24 h, logged for 30 days.">
        {refusal === null ? (
          <>
            <CallbackSecret />
            {items.length === 0 ? null : addButton}
          </>
        ) : null}
      </PageHeader>
      {refusal !== null ? (
        <AdminsOnly what="webhooks" reason={refusal} />
      ) : (
        <>
          {webhooks.isPending ? (
            <RowSkeletons rows={2} height={4.75} what="the webhooks" />
          ) : !webhooks.data ? (
            <ErrorState error={webhooks.error} what="the webhooks" retry={() => void webhooks.refetch()} retrying={webhooks.isFetching} />
          ) : items.length === 0 ? (
            <EmptyState icon={IconWebhook} title="No webhooks yet" action={addButton}>
              Add a webhook to tell your program at once when a turn finishes or a call needs approval.
            </EmptyState>
          ) : (
            <ul className={rows.rows}>
              {items.map((webhook) => (
                <WebhookRow key={webhook.id} webhook={webhook} onOpen={open} />
              ))}
            </ul>
          )}
          <DeliveriesSection
            webhooks={items}
            search={search}
            onSearch={(changed) => void setSearch(changed)}
            onOpen={(delivery) => void setAddress({ webhook: null, edit: null, delivery })}
          />
          <WebhookDrawer
            id={address.webhook}
            isEditing={address.edit}
            webhooks={items}
            onEdit={(edit) => void setAddress({ edit: edit || null })}
            onSecret={(webhook) => {
              // Closes the drawer first: Escape does nothing in the secret's dialog, but would close the drawer behind.
              open(null);
              setSecret(webhook);
            }}
            onShowDeliveries={(of) => {
              open(null);
              void setSearch({ of, status: null, turn: null });
            }}
            onClose={() => open(null)}
          />
          <DeliveryDrawer id={address.delivery} webhooks={items} onOpenWebhook={open} onClose={() => void setAddress({ delivery: null })} />
          <NewSecret
            webhook={secret}
            onDone={() => {
              setSecret(null);
              open(secret?.id ?? null);
            }}
          />
        </>
      )}
    </>
  );
}

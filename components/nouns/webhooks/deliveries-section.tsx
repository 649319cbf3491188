"use client";

import { Button } from "@mantine/core";
import { IconSend, IconX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { FilterSelect } from "@/components/kit/ui/filters/filter-select";
import { nameChoices } from "@/components/kit/ui/forms/name-choices";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { useDetail } from "@/components/kit/ui/overlays/use-detail";
import { PageSection } from "@/components/kit/ui/page/page-section";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { deliveryStatuses, type Webhook, type WebhookDelivery } from "@/contracts/browser/hooks/webhooks";
import { deliveryReason } from "./deliveries";
import { DeliveryStatus } from "./delivery-status";
import { eventLabel } from "./event-words";
import { webhookQueries } from "./queries";
import { deliverySearch, toDeliveryFilter } from "./search-params";

// Loaded after the page, because a drawer opens only on a click.
const DeliveryDrawer = dynamic(() => import("./delivery-drawer").then((file) => file.DeliveryDrawer), { ssr: false });

type DeliveriesSectionProps = { webhooks: readonly Webhook[]; onOpenWebhook: (id: string) => void };

const statusWords = { pending: "Waiting", delivered: "Delivered", failed: "Failed" } as const;

/** The status of the answer, or why there is none yet or none that counts. */
function DeliveryAnswer({ delivery }: { delivery: WebhookDelivery }) {
  const reason = deliveryReason(delivery);
  if (reason === null) return <span data-numeric>{delivery.lastStatus ?? "–"}</span>;
  return (
    <span className={shared.dim} title={spellHidden(reason)}>
      <RevealedText text={reason} />
    </span>
  );
}

/** All deliveries of the last 30 days, sent or pending. */
export function DeliveriesSection({ webhooks, onOpenWebhook }: DeliveriesSectionProps) {
  const [search, setSearch] = useQueryStates(deliverySearch);
  const detail = useDetail("delivery");
  const filter = toDeliveryFilter(search);
  const deliveries = useInfiniteQuery(webhookQueries.deliveries(filter));
  const isFiltered = Object.keys(filter).length > 0;
  const hasNone = deliveries.data?.pages[0]?.items.length === 0;
  const nameOf = ({ webhookId }: WebhookDelivery) => webhooks.find(({ id }) => id === webhookId)?.name;
  const columns: readonly ListColumn<WebhookDelivery>[] = [
    { heading: "Event", width: "11rem", cell: ({ event }) => eventLabel(event) },
    { heading: "State", width: "9rem", cell: (delivery) => <DeliveryStatus delivery={delivery} plain /> },
    {
      heading: "To",
      width: "15rem",
      cell: (delivery) => (
        <>
          {nameOf(delivery) ?? "Callback"} <CodeText dim>{URL.parse(delivery.url)?.host ?? delivery.url}</CodeText>
        </>
      ),
    },
    { heading: "Tries", width: "4.5rem", wideOnly: true, cell: ({ attempts }) => <span data-numeric>{attempts}</span> },
    { heading: "Answer", cell: (delivery) => <DeliveryAnswer delivery={delivery} /> },
    { heading: "When", width: "6.5rem", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ];

  return (
    <PageSection
      heading="Deliveries"
      aside={
        isFiltered || !hasNone ? (
          <search className={shared.bar} aria-label="Filter the deliveries">
            {search.turn ? (
              <Button variant="default" rightSection={<IconX size={14} aria-hidden />} onClick={() => void setSearch({ turn: null })}>
                One turn only
              </Button>
            ) : null}
            <FilterSelect
              label="Webhook"
              className={shared.filter}
              data={nameChoices(webhooks)}
              value={search.of}
              onChange={(of) => void setSearch({ of })}
              searchable
            />
            <FilterSelect
              label="State"
              className={shared.filter}
              data={deliveryStatuses.map((value) => ({ value, label: statusWords[value] }))}
              value={search.status}
              onChange={(value) => void setSearch({ status: deliveryStatuses.find((status) => status === value) ?? null })}
            />
          </search>
        ) : null
      }
    >
      <PagedTable
        query={deliveries}
        items="deliveries"
        empty={
          <EmptyState icon={IconSend} title={isFiltered ? "No matching deliveries" : "No deliveries yet"}>
            {isFiltered
              ? "Clear a filter to see more."
              : "Deliveries to webhooks and to the callback addresses of turns are kept here for 30 days."}
          </EmptyState>
        }
        label="Deliveries"
        columns={columns}
        hrefOf={({ id }) => `/webhooks?delivery=${id}`}
        onOpen={({ id }) => detail.open(id)}
      />
      <DeliveryDrawer
        id={detail.id}
        webhooks={webhooks}
        onOpenWebhook={(id) => {
          detail.close();
          onOpenWebhook(id);
        }}
        onClose={detail.close}
      />
    </PageSection>
  );
}

"use client";

import { Button, Select } from "@mantine/core";
import { IconSend, IconX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { CodeText } from "@/components/ui/code-text";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { type ListColumn, ListTable } from "@/components/ui/list-table";
import { LoadMore } from "@/components/ui/load-more";
import { RelativeTime } from "@/components/ui/relative-time";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { deliveryStatuses, type Webhook, type WebhookDelivery } from "@/contracts/browser/webhooks";
import { deliveryReason } from "./delivery-reason";
import { DeliveryStatus } from "./delivery-status";
import { eventLabel } from "./event-words";
import { webhookQueries } from "./queries";
import { type DeliverySearch, toDeliveryFilter } from "./search-params";
import classes from "./webhooks.module.css";

type DeliveriesSectionProps = {
  webhooks: readonly Webhook[];
  search: DeliverySearch;
  onSearch: (changed: Partial<DeliverySearch>) => void;
  onOpen: (deliveryId: string) => void;
};

const statusWords = { pending: "Waiting", delivered: "Delivered", failed: "Failed" } as const;

/** The status of the answer, or why there is none yet or none that counts. */
function DeliveryAnswer({ delivery }: { delivery: WebhookDelivery }) {
  const reason = deliveryReason(delivery);
  if (reason === null) return <span data-numeric>{delivery.lastStatus ?? "–"}</span>;
  return (
    <span className={classes.answer} title={spellHidden(reason)}>
      <RevealedText text={reason} />
    </span>
  );
}

/** All deliveries of the last 30 days, sent or pending. */
export function DeliveriesSection({ webhooks, search, onSearch, onOpen }: DeliveriesSectionProps) {
  const filter = toDeliveryFilter(search);
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(
    webhookQueries.deliveries(filter),
  );
  const rows = data?.pages.flatMap(({ items }) => items);
  const isFiltered = Object.keys(filter).length > 0;
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
    <section className={classes.log} aria-labelledby="deliveries-heading">
      <header className={classes.logHeader}>
        <h2 className={classes.heading} id="deliveries-heading">
          Deliveries
        </h2>
        {isFiltered || rows?.length !== 0 ? (
          <search className={classes.filters} aria-label="Filter the deliveries">
            {search.turn ? (
              <Button variant="default" rightSection={<IconX size={14} aria-hidden />} onClick={() => onSearch({ turn: null })}>
                One turn only
              </Button>
            ) : null}
            <Select
              aria-label="Webhook"
              placeholder="Every webhook"
              className={classes.filter}
              data={webhooks.map(({ id, name }) => ({ value: id, label: spellHidden(name) }))}
              value={search.of}
              onChange={(of) => onSearch({ of })}
              searchable
              clearable
            />
            <Select
              aria-label="State"
              placeholder="Every state"
              className={classes.filter}
              data={deliveryStatuses.map((value) => ({ value, label: statusWords[value] }))}
              value={search.status}
              onChange={(value) => onSearch({ status: deliveryStatuses.find((status) => status === value) ?? null })}
              clearable
            />
          </search>
        ) : null}
      </header>
      {!rows && error ? (
        <ErrorState error={error} what="the deliveries" retry={() => void refetch()} retrying={isRefetching} />
      ) : !rows ? (
        <RowSkeletons rows={6} height={2.25} what="the deliveries" />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconSend} title={isFiltered ? "No matching deliveries" : "No deliveries yet"}>
          {isFiltered
            ? "Clear a filter to see more."
            : "Deliveries to webhooks and to the callback addresses of turns are kept here for 30 days."}
        </EmptyState>
      ) : (
        <>
          <ListTable
            label="Deliveries"
            columns={columns}
            rows={rows}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/webhooks?delivery=${id}`}
            onOpen={({ id }) => onOpen(id)}
          />
          <LoadMore hasMore={hasNextPage} loading={isFetchingNextPage} onMore={fetchNextPage} what="deliveries" />
        </>
      )}
    </section>
  );
}

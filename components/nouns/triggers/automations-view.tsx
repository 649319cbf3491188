"use client";

import { Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { type ListColumn, ListTable } from "@/components/kit/ui/lists/list-table";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Automation, TriggerWithSecret } from "@/contracts/automation/triggers";
import { automationQueries, triggerResource } from "./queries";
import { addressOf, automationWords, startOf } from "./trigger-words";

// Loaded after the page, because a drawer opens only on a click.
const TriggerDrawer = dynamic(() => import("./trigger-drawer").then((file) => file.TriggerDrawer), { ssr: false });
const TriggerSecret = dynamic(() => import("./trigger-secret").then((file) => file.TriggerSecret), { ssr: false });

function State({ enabled, lastError }: Automation) {
  if (!enabled) return <StatusBadge tone="unavailable">Off</StatusBadge>;
  if (!lastError) return <StatusBadge tone="allow">On</StatusBadge>;
  return (
    <span title={spellHidden(lastError)}>
      <StatusBadge tone="ask">
        <RevealedText text={lastError} />
      </StatusBadge>
    </span>
  );
}

/** The moment of a run. In a narrow window no heading says which. */
function When({ what, at }: { what: string; at: string | null }) {
  return (
    <>
      <Text span inherit hiddenFrom="sm" className={shared.dim}>
        {what}:{" "}
      </Text>
      {at ? <RelativeTime at={at} /> : <span className={shared.dim}>–</span>}
    </>
  );
}

const columns: readonly ListColumn<Automation>[] = [
  { heading: "Name", cell: ({ name }) => <RevealedText text={name} /> },
  { heading: "Kind", width: "6rem", cell: ({ kind }) => automationWords[kind] },
  { heading: "Starts on", cell: (row) => <RevealedText text={startOf(row)} /> },
  { heading: "Starts", wideOnly: true, cell: ({ target }) => <RevealedText text={target} /> },
  { heading: "State", width: "9rem", cell: (row) => <State {...row} /> },
  {
    heading: "Last run",
    width: "7rem",
    cell: ({ lastRunAt }) => <When what="Last run" at={lastRunAt} />,
  },
  {
    heading: "Next run",
    width: "7rem",
    cell: ({ nextRunAt }) => <When what="Next run" at={nextRunAt} />,
  },
];

/** The starts of agents and workflows without a person: schedules, watches of topics and triggers. */
export function AutomationsView() {
  const page = useResourcePage(triggerResource, { title: "Automations", address: "trigger", permission: "schedules:write" });
  const list = useQuery(automationQueries.list());
  const router = useRouter();
  const [secret, setSecret] = useState<TriggerWithSecret | null>(null);
  const addButton = <AddButton noun="trigger" page={page} />;
  const open = (row: Automation) => (row.kind === "trigger" ? page.open(row.id) : router.push(addressOf(row)));
  const isEmpty = list.data?.items.length === 0;
  return (
    <>
      <PageHeader
        title="Automations"
        description="Schedules, watches of topics and triggers: what starts agents and workflows without a person."
      >
        {isEmpty ? null : addButton}
      </PageHeader>
      <Loaded query={list} what="the automations" rows={5} height={2.25}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState icon={IconBolt} title="No automations yet" action={addButton}>
              A trigger starts an agent or a workflow when a message comes, a webhook is called, or a run or a workflow ends.
            </EmptyState>
          ) : (
            <ListTable label="Automations" columns={columns} rows={items} hrefOf={addressOf} onOpen={open} />
          )
        }
      </Loaded>
      <TriggerDrawer page={page} onSecret={setSecret} />
      {secret ? (
        <TriggerSecret
          trigger={secret}
          onDone={() => {
            setSecret(null);
            page.open(secret.id);
          }}
        />
      ) : null}
    </>
  );
}

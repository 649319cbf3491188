"use client";

import { IconBoltOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { call } from "@/components/kit/api/call";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { LastItems } from "@/components/kit/resources/last-items";
import { ResourceDetails } from "@/components/kit/resources/resource-details";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import { RotateSecret } from "@/components/kit/resources/rotate-secret";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { TriggerWithSecret } from "@/contracts/automation/triggers";
import { type Trigger, type TriggerFiring, triggerEndpoints } from "@/contracts/browser/automation/triggers";
import { automationQueries } from "./queries";
import { kindWords, statusWords } from "./trigger-words";

const loadForm = () => import("./trigger-form");
const TriggerForm = dynamic(() => loadForm().then((file) => file.TriggerForm), { ssr: false, loading: FormSkeleton });

type TriggerDrawerProps = { page: ResourcePage<Trigger>; onSecret: (trigger: TriggerWithSecret) => void };

/** Details of a trigger with its history, or its form. */
export function TriggerDrawer({ page, onSecret }: TriggerDrawerProps) {
  return (
    <ResourceDrawer
      noun="trigger"
      page={page}
      missingIcon={IconBoltOff}
      loadForm={loadForm}
      form={(trigger, leave) => (
        <TriggerForm
          trigger={trigger}
          onSaved={(saved) => {
            if ("secret" in saved && saved.secret) onSecret(saved);
            else if (trigger) page.edit(false);
            else page.open(saved.id);
          }}
          onCancel={leave}
        />
      )}
      details={(trigger) => <Details trigger={trigger} page={page} onSecret={onSecret} />}
    />
  );
}

function Details({ trigger, page, onSecret }: TriggerDrawerProps & { trigger: Trigger }) {
  const { id, name, kind, target, template, words, statuses, address, lastError, createdBy, createdAt } = trigger;
  const firings = useQuery(automationQueries.firings(id));
  const rotate = async () => {
    onSecret(await call(triggerEndpoints.rotateSecret, { params: { id } }));
    await page.refresh();
  };
  return (
    <ResourceDetails
      page={page}
      row={trigger}
      loss="Its history goes with it. Conversations that it opened stay."
      actions={
        kind === "webhook" ? (
          <RotateSecret name={name} effect="Calls with the old secret are refused from now on." refusal={page.refusal} rotate={rotate} />
        ) : null
      }
    >
      <Facts
        facts={[
          ["Starts on", kindWords[kind]],
          ["Texts", words.length > 0 ? <RevealedText key="words" text={words.join(", ")} /> : null],
          ["Ends that count", kind === "agent_lifecycle" ? statuses.map((status) => statusWords[status]).join(", ") : null],
          ["Starts", <RevealedText key="target" text={target} />],
          ["Permissions", <RevealedText key="by" text={`Those of ${createdBy.name}`} />],
          ["Last problem", lastError ? <RevealedText key="error" text={lastError} /> : null],
          ["Added", <RelativeTime key="added" at={createdAt} />],
        ]}
      />
      {address ? <CodeBlock label="Address" text={address} /> : null}
      <CodeBlock label="Template" text={template} maxLines={12} />
      <LastItems
        heading="Last events"
        query={firings}
        what="the last events"
        nothing="Nothing has started it yet."
        item={(firing) => <Firing key={firing.id} firing={firing} />}
      />
    </ResourceDetails>
  );
}

const outcomeWords = { waiting: "Waiting", started: "Started", skipped: "Skipped", failed: "Failed" } as const;

function Firing({ firing: { outcome, reason, text, runId, createdAt } }: { firing: TriggerFiring }) {
  const said = reason ? `${outcomeWords[outcome]}: ${reason}` : outcomeWords[outcome];
  return (
    <li>
      {runId ? <Link href={`/runs/${runId}`}>{outcomeWords[outcome]}</Link> : <RevealedText text={said} />} <RelativeTime at={createdAt} />
      <div className={shared.dim}>
        <RevealedText text={text.length > 200 ? `${text.slice(0, 200)}…` : text} />
      </div>
    </li>
  );
}

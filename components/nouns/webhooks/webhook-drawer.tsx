"use client";

import { Button, VisuallyHidden } from "@mantine/core";
import { IconListSearch, IconSend, IconWebhookOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { call } from "@/components/kit/api/call";
import { FormSkeleton } from "@/components/kit/resources/form-skeleton";
import { ResourceDetails } from "@/components/kit/resources/resource-details";
import { ResourceDrawer } from "@/components/kit/resources/resource-drawer";
import { RotateSecret } from "@/components/kit/resources/rotate-secret";
import type { ResourcePage } from "@/components/kit/resources/use-resource-page";
import { Facts } from "@/components/kit/ui/page/facts";
import { Part } from "@/components/kit/ui/page/part";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { type Webhook, type WebhookWithSecret, webhookEndpoints } from "@/contracts/browser/hooks/webhooks";
import { DeliveryOutcome } from "./delivery-status";
import { eventLabel } from "./event-words";

const loadForm = () => import("./webhook-form");
const WebhookForm = dynamic(() => loadForm().then((file) => file.WebhookForm), { ssr: false, loading: FormSkeleton });

type WebhookDrawerProps = {
  page: ResourcePage<Webhook>;
  onSecret: (webhook: WebhookWithSecret) => void;
  onShowDeliveries: (id: string) => void;
};

/** Details of a webhook, its settings, or the form for a new one. */
export function WebhookDrawer({ page, onSecret, onShowDeliveries }: WebhookDrawerProps) {
  return (
    <ResourceDrawer
      noun="webhook"
      page={page}
      missingIcon={IconWebhookOff}
      loadForm={loadForm}
      form={(webhook, leave) => (
        <WebhookForm webhook={webhook} onSaved={(saved) => ("secret" in saved ? onSecret(saved) : page.edit(false))} onCancel={leave} />
      )}
      details={(webhook) => <Details webhook={webhook} page={page} onSecret={onSecret} onShowDeliveries={onShowDeliveries} />}
    />
  );
}

/** Result of a test, for screen readers. */
const testWords = { delivered: "The test arrived", failed: "The test did not arrive", pending: "The test is under way" } as const;
const removalLoss = "Nothing more is sent to this address, including queued retries. The webhook's deliveries are deleted from the log.";

const rotationEffect =
  "The new secret signs every further try. The receiver refuses deliveries until it has the new secret; refused deliveries are retried for a day.";

function Details({ webhook, page, onSecret, onShowDeliveries }: WebhookDrawerProps & { webhook: Webhook }) {
  const { id, name, url, events, lastDelivery, createdAt } = webhook;
  const test = useMutation({ mutationFn: () => call(webhookEndpoints.test, { params: { id } }), onSettled: page.refresh });
  const shown = test.data ?? lastDelivery;
  const rotate = async () => {
    onSecret(await call(webhookEndpoints.rotateSecret, { params: { id } }));
    await page.refresh();
  };
  return (
    <ResourceDetails
      page={page}
      row={webhook}
      loss={removalLoss}
      actions={
        <>
          <Button leftSection={<IconSend size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
          <RotateSecret name={name} effect={rotationEffect} refusal={page.refusal} rotate={rotate} />
        </>
      }
    >
      <Facts
        facts={[
          ["URL", <CodeText key="url">{url}</CodeText>],
          ["Events", events.map(eventLabel).join(", ")],
          ["Added", <RelativeTime key="added" at={createdAt} />],
          ["Id", <ShortId key="id" id={id} what="id of the webhook" />],
        ]}
      />
      <Part heading={test.data ? "The test" : "Last delivery"}>
        <VisuallyHidden role="status">{test.data ? testWords[test.data.status] : ""}</VisuallyHidden>
        {shown ? (
          <DeliveryOutcome delivery={shown} showsEvent />
        ) : (
          <p className={shared.note}>Nothing was sent to this address yet. Send a test.</p>
        )}
        {lastDelivery ? (
          <Button
            mt="sm"
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconListSearch size={14} aria-hidden />}
            onClick={() => onShowDeliveries(id)}
          >
            All its deliveries
          </Button>
        ) : null}
      </Part>
    </ResourceDetails>
  );
}

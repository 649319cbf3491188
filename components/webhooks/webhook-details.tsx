"use client";

import { Button, Switch, VisuallyHidden } from "@mantine/core";
import { IconKey, IconListSearch, IconPencil, IconSend, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { CodeText } from "@/components/ui/code-text";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/relative-time";
import { ShortId } from "@/components/ui/short-id";
import type { Webhook, WebhookWithSecret } from "@/contracts/webhooks";
import { confirmRemoval, confirmRotation } from "./confirm-webhook";
import { DeliveryOutcome } from "./delivery-outcome";
import { eventLabel } from "./event-words";
import { useSwitchWebhook, useTestWebhook } from "./use-change-webhook";
import classes from "./webhooks.module.css";

type WebhookDetailsProps = {
  webhook: Webhook;
  onEdit: () => void;
  onRotated: (webhook: WebhookWithSecret) => void;
  onRemoved: () => void;
  onShowDeliveries: () => void;
};

/** Result of a test, for screen readers. */
const testWords = { delivered: "The test arrived", failed: "The test did not arrive", pending: "The test is under way" } as const;

/** Details of a webhook: its events, last delivery and actions. */
export function WebhookDetails({ webhook, onEdit, onRotated, onRemoved, onShowDeliveries }: WebhookDetailsProps) {
  const client = useQueryClient();
  const change = useSwitchWebhook();
  const test = useTestWebhook();
  const shown = test.data ?? webhook.lastDelivery;
  return (
    <div className={classes.story}>
      <div className={classes.controls}>
        <Switch
          label={webhook.enabled ? "On" : "Off"}
          aria-label={`${webhook.name} is on`}
          checked={webhook.enabled}
          onChange={(event) => change.mutate({ webhook, enabled: event.currentTarget.checked })}
        />
      </div>
      <div className={classes.controls}>
        <Button leftSection={<IconSend size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate(webhook)}>
          Send a test
        </Button>
        <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          Edit
        </Button>
        <Button
          variant="default"
          leftSection={<IconKey size={16} aria-hidden />}
          onClick={() => confirmRotation(webhook, client, onRotated)}
        >
          Rotate secret
        </Button>
        <Button
          variant="default"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => confirmRemoval(webhook, client, onRemoved)}
        >
          Remove
        </Button>
      </div>
      <Facts
        facts={[
          ["URL", <CodeText key="url">{webhook.url}</CodeText>],
          ["Events", webhook.events.map((event) => eventLabel(event)).join(", ")],
          ["Added", <RelativeTime key="added" at={webhook.createdAt} />],
          ["Id", <ShortId key="id" id={webhook.id} what="id of the webhook" />],
        ]}
      />
      <section className={classes.part} aria-labelledby="last-delivery-heading">
        <VisuallyHidden role="status">{test.data ? testWords[test.data.status] : ""}</VisuallyHidden>
        <h3 className={classes.partTitle} id="last-delivery-heading">
          {test.data ? "The test" : "Last delivery"}
        </h3>
        {shown ? (
          <DeliveryOutcome delivery={shown} showsEvent />
        ) : (
          <p className={classes.hint}>Nothing was sent to this address yet. Send a test.</p>
        )}
        {webhook.lastDelivery ? (
          <Button
            className={classes.showDeliveries}
            variant="subtle"
            color="gray"
            size="compact-sm"
            leftSection={<IconListSearch size={14} aria-hidden />}
            onClick={onShowDeliveries}
          >
            All its deliveries
          </Button>
        ) : null}
      </section>
    </div>
  );
}

"use client";

import { Switch } from "@mantine/core";
import { RelativeTime } from "@/components/ui/relative-time";
import type { Webhook } from "@/contracts/webhooks";
import { DeliveryStatus } from "./delivery-status";
import { eventWords } from "./event-words";
import { useSwitchWebhook } from "./use-change-webhook";
import classes from "./webhooks.module.css";

/** A webhook in the list; pressing it anywhere opens its story. */
export function WebhookRow({ webhook, onOpen }: { webhook: Webhook; onOpen: (id: string) => void }) {
  const change = useSwitchWebhook();
  const { lastDelivery } = webhook;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <a
          className={classes.name}
          href={`?webhook=${webhook.id}`}
          data-row
          data-off={!webhook.enabled || undefined}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            onOpen(webhook.id);
          }}
        >
          {webhook.name}
        </a>
        <p className={classes.address}>{webhook.url}</p>
        <p className={classes.told}>{webhook.events.map((event) => eventWords[event]).join(", ")}</p>
      </div>
      <div className={classes.last}>
        {lastDelivery ? (
          <>
            <DeliveryStatus delivery={lastDelivery} />
            <span className={classes.lastWhen}>
              <RelativeTime at={lastDelivery.lastAttemptAt ?? lastDelivery.createdAt} />
            </span>
          </>
        ) : (
          <span className={classes.dim}>Nothing sent yet</span>
        )}
      </div>
      <div className={classes.switch}>
        <Switch
          aria-label={`${webhook.name} is on`}
          checked={webhook.enabled}
          onChange={(event) => change.mutate({ webhook, enabled: event.currentTarget.checked })}
        />
      </div>
    </li>
  );
}

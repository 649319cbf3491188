"use client";

import { Switch } from "@mantine/core";
import { RelativeTime } from "@/components/ui/relative-time";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { RevealedText } from "@/components/ui/revealed-text";
import { RowLink } from "@/components/ui/row-link";
import rows from "@/components/ui/rows.module.css";
import type { Webhook } from "@/contracts/webhooks";
import { deliveryReason } from "./delivery-reason";
import { DeliveryStatus } from "./delivery-status";
import { eventLabel } from "./event-words";
import { useSwitchWebhook } from "./use-change-webhook";
import classes from "./webhooks.module.css";

/** A webhook in the list; a press anywhere on the row opens its details. */
export function WebhookRow({ webhook, onOpen }: { webhook: Webhook; onOpen: (id: string) => void }) {
  const change = useSwitchWebhook();
  const { lastDelivery } = webhook;
  const reason = lastDelivery && deliveryReason(lastDelivery);
  return (
    <li className={`${rows.row} ${classes.row}`}>
      <div className={classes.what}>
        <RowLink
          className={webhook.enabled ? classes.name : classes.nameOff}
          href={`?webhook=${webhook.id}`}
          onOpen={() => onOpen(webhook.id)}
        >
          <RevealedText text={webhook.name} />
        </RowLink>
        <p className={classes.address}>
          <RevealedText text={webhook.url} />
        </p>
        <p className={classes.told}>{webhook.events.map((event) => eventLabel(event)).join(", ")}</p>
        {reason ? (
          <p className={classes.reason} title={spellHidden(reason)}>
            <RevealedText text={reason} />
          </p>
        ) : null}
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

import { CodeBlock } from "@/components/ui/code-block";
import { RelativeTime } from "@/components/ui/relative-time";
import type { WebhookDelivery } from "@/contracts/webhooks";
import { DeliveryStatus } from "./delivery-status";
import { eventLabel } from "./event-words";
import classes from "./webhooks.module.css";

/** Result of a delivery in one line, with the reason of a failure. */
export function DeliveryOutcome({ delivery, showsEvent = false }: { delivery: WebhookDelivery; showsEvent?: boolean }) {
  const words = [showsEvent ? eventLabel(delivery.event) : null, delivery.lastStatus ? `answered ${delivery.lastStatus}` : null];
  return (
    <div className={classes.outcome}>
      <p className={classes.outcomeLine}>
        <DeliveryStatus delivery={delivery} />
        <span data-numeric>{words.filter(Boolean).join(", ")}</span>
        {delivery.lastAttemptAt ? <RelativeTime at={delivery.lastAttemptAt} /> : null}
      </p>
      {delivery.status !== "delivered" && delivery.lastError ? <CodeBlock label="Error" text={delivery.lastError} maxLines={10} /> : null}
    </div>
  );
}

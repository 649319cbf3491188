import { MachineBlock } from "@/components/ui/machine-block";
import { RelativeTime } from "@/components/ui/relative-time";
import type { WebhookDelivery } from "@/contracts/webhooks";
import { DeliveryStatus } from "./delivery-status";
import { eventWords } from "./event-words";
import classes from "./webhooks.module.css";

/** What came of a delivery, in a line, and why not where it did not arrive. */
export function DeliveryOutcome({ delivery, showsEvent = false }: { delivery: WebhookDelivery; showsEvent?: boolean }) {
  const words = [showsEvent ? eventWords[delivery.event] : null, delivery.lastStatus ? `answered ${delivery.lastStatus}` : null];
  return (
    <div className={classes.outcome}>
      <p className={classes.outcomeLine}>
        <DeliveryStatus delivery={delivery} />
        <span data-numeric>{words.filter(Boolean).join(", ")}</span>
        {delivery.lastAttemptAt ? <RelativeTime at={delivery.lastAttemptAt} /> : null}
      </p>
      {delivery.status !== "delivered" && delivery.lastError ? (
        <MachineBlock label="What happened" text={delivery.lastError} maxLines={10} />
      ) : null}
    </div>
  );
}

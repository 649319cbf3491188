import { IconAlertTriangle, IconClock, type IconProps, IconRefresh } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import type { Tone } from "@/components/kit/ui/tone";
import type { WebhookDelivery } from "@/contracts/hooks/webhooks";
import { isInFlight, type Tries } from "./deliveries";
import { eventLabel } from "./event-words";

type Look = { tone: Tone; word: string; icon?: ComponentType<IconProps> };

function lookOf(tries: Tries): Look {
  const { status, attempts } = tries;
  if (status === "delivered") return { tone: "allow", word: "Delivered" };
  if (status === "failed") return { tone: "deny", word: "Failed", icon: IconAlertTriangle };
  if (isInFlight(tries)) return { tone: "running", word: attempts === 0 ? "Queued" : "Sending", icon: IconClock };
  return { tone: "ask", word: "Retrying", icon: IconRefresh };
}

/** Status of a delivery. */
export function DeliveryStatus({ delivery, plain = false }: { delivery: Tries; plain?: boolean }) {
  const { tone, word, icon } = lookOf(delivery);
  return (
    <StatusBadge tone={tone} plain={plain} {...(icon ? { icon } : {})}>
      {word}
    </StatusBadge>
  );
}

/** Result of a delivery in one line, with the reason of a failure. */
export function DeliveryOutcome({ delivery, showsEvent = false }: { delivery: WebhookDelivery; showsEvent?: boolean }) {
  const { event, status, lastStatus, lastAttemptAt, lastError } = delivery;
  const words = [showsEvent ? eventLabel(event) : null, lastStatus ? `answered ${lastStatus}` : null];
  return (
    <div className={shared.stack}>
      <div className={shared.bar}>
        <DeliveryStatus delivery={delivery} />
        <span data-numeric>{words.filter(Boolean).join(", ")}</span>
        {lastAttemptAt ? <RelativeTime at={lastAttemptAt} /> : null}
      </div>
      {status !== "delivered" && lastError ? <CodeBlock label="Error" text={lastError} maxLines={10} /> : null}
    </div>
  );
}

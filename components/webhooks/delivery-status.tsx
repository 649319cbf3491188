import { IconAlertTriangle, IconClock, type IconProps, IconRefresh } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { StatusBadge } from "@/components/ui/status-badge";
import type { Tone } from "@/components/ui/tone";
import type { WebhookDelivery } from "@/contracts/webhooks";

type Look = { tone: Tone; word: string; icon?: ComponentType<IconProps> };

function lookOf({ status, attempts }: Pick<WebhookDelivery, "status" | "attempts">): Look {
  if (status === "delivered") return { tone: "allow", word: "Delivered" };
  if (status === "failed") return { tone: "deny", word: "Failed", icon: IconAlertTriangle };
  if (attempts === 0) return { tone: "running", word: "Queued", icon: IconClock };
  return { tone: "ask", word: "Trying again", icon: IconRefresh };
}

/** What became of a delivery so far. */
export function DeliveryStatus({ delivery, plain = false }: { delivery: Pick<WebhookDelivery, "status" | "attempts">; plain?: boolean }) {
  const { tone, word, icon } = lookOf(delivery);
  return (
    <StatusBadge tone={tone} plain={plain} {...(icon ? { icon } : {})}>
      {word}
    </StatusBadge>
  );
}

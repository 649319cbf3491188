import { IconAlertTriangle, IconClock, type IconProps, IconRefresh } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { StatusBadge } from "@/components/ui/status-badge";
import type { Tone } from "@/components/ui/tone";
import { isInFlight, type Tries } from "./is-in-flight";

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

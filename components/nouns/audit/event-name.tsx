import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { eventTone, eventWords } from "./event-words";

/** An event in words; an outcome has its colour and icon. */
export function EventName({ event }: { event: string }) {
  const tone = eventTone(event);
  if (!tone) return <>{eventWords(event)}</>;
  return (
    <StatusBadge tone={tone} plain>
      {eventWords(event)}
    </StatusBadge>
  );
}

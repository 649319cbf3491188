import { IconX } from "@tabler/icons-react";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { TurnStatusBadge } from "@/components/nouns/calls/call-status-badge";
import { findOutcomeGroup } from "@/contracts/calls/call-outcomes";
import type { TurnSummary } from "@/contracts/turns/turns";

/** Status of a turn; a finished turn shows how many of its calls failed or were denied. */
export function TurnOutcome({ turn: { status, isAsking, calls } }: { turn: TurnSummary }) {
  const words = status === "completed" ? troubleWords(calls) : null;
  if (words === null) return <TurnStatusBadge status={status} isAsking={isAsking} plain />;
  return (
    <StatusBadge tone="deny" icon={words.onlyDenied ? undefined : IconX} plain>
      <RevealedText text={words.text} />
    </StatusBadge>
  );
}

function troubleWords(calls: TurnSummary["calls"]): { text: string; onlyDenied: boolean } | null {
  const outcomes = calls.map(({ status }) => findOutcomeGroup(status));
  const failed = outcomes.filter((outcome) => outcome === "failed").length;
  const denied = outcomes.filter((outcome) => outcome === "denied").length;
  if (failed + denied === 0) return null;
  const all = calls.length;
  const parts = [failed > 0 ? `${failed} failed` : "", denied > 0 ? `${denied} denied` : ""].filter(Boolean);
  return { text: all === 1 ? (failed ? "Failed" : "Denied") : `${parts.join(", ")} of ${all}`, onlyDenied: failed === 0 };
}

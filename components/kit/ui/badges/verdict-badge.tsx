import type { Verdict } from "@/contracts/decisions/decision";
import type { Tone } from "../tone";
import { StatusBadge } from "./status-badge";
import { verdictWords } from "./verdict-words";

const tones: Record<Verdict, Tone> = { allow: "allow", deny: "deny", require_approval: "ask" };

type VerdictBadgeProps = {
  verdict: Verdict;
  plain?: boolean;
  /** The verdict is given to no call, so it has no colour. */
  isIdle?: boolean;
};

/** The guard's verdict on a call. */
export function VerdictBadge({ verdict, plain = false, isIdle = false }: VerdictBadgeProps) {
  return (
    <StatusBadge tone={isIdle ? "unavailable" : tones[verdict]} plain={plain}>
      {verdictWords[verdict]}
    </StatusBadge>
  );
}

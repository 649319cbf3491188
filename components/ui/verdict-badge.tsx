import type { Verdict } from "@/contracts/decision";
import { StatusBadge } from "./status-badge";
import type { Tone } from "./tone";
import { verdictWords } from "./verdict-words";

const tones: Record<Verdict, Tone> = { allow: "allow", deny: "deny", require_approval: "ask" };

/** The guard's verdict on a call. */
export function VerdictBadge({ verdict, plain = false }: { verdict: Verdict; plain?: boolean }) {
  return (
    <StatusBadge tone={tones[verdict]} plain={plain}>
      {verdictWords[verdict]}
    </StatusBadge>
  );
}

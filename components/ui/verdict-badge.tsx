import type { Verdict } from "@/contracts/decision";
import { StatusBadge } from "./status-badge";
import type { Tone } from "./tone";

const looks: Record<Verdict, { tone: Tone; word: string }> = {
  allow: { tone: "allow", word: "Allow" },
  deny: { tone: "deny", word: "Deny" },
  require_approval: { tone: "ask", word: "Ask" },
};

/** What the guard answers to a call. */
export function VerdictBadge({ verdict, plain = false }: { verdict: Verdict; plain?: boolean }) {
  const { tone, word } = looks[verdict];
  return (
    <StatusBadge tone={tone} plain={plain}>
      {word}
    </StatusBadge>
  );
}

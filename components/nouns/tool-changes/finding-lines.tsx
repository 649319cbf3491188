import { RiskMark } from "@/components/kit/ui/badges/risk-mark";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { ToolFinding } from "@/contracts/tools/tool-findings";
import classes from "./tool-changes.module.css";

/** Signs of poisoning in a definition: severity, sentence, place and the words. */
export function FindingLines({ findings }: { findings: readonly ToolFinding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={classes.findings} aria-label="Findings">
      {findings.map(({ check, severity, place, message, excerpt }) => (
        <li key={`${check} ${place} ${message}`} className={classes.finding}>
          <span className={shared.inline}>
            <RiskMark risk={severity} />
            <span>
              <RevealedText text={message} />
            </span>
            <code className={classes.place}>{place}</code>
          </span>
          <q className={classes.excerpt}>
            <RevealedText text={excerpt} />
          </q>
        </li>
      ))}
    </ul>
  );
}

import { IconAlertTriangle } from "@tabler/icons-react";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Finding } from "@/contracts/decisions/decision";
import classes from "./finding-list.module.css";

/** The findings of a call, the worst first. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={`${shared.stackClose} ${shared.plainList}`} aria-label="Findings">
      {findings.map((finding) => (
        <li
          key={`${finding.detector} ${finding.excerpt}`}
          className={classes.finding}
          data-severity={finding.severity}
          title={finding.explanation || undefined}
        >
          <IconAlertTriangle size={15} aria-hidden className={shared.lineIcon} />
          <div className={shared.shrinks}>
            <span className={classes.severity}>{finding.severity}</span> <RevealedText text={finding.message} />
            {finding.relaxedBy ? " The rule of this decision relaxes this finding." : null}
            {finding.excerpt ? (
              <div className={shared.wraps}>
                <CodeText>
                  <RevealedText text={finding.excerpt} />
                </CodeText>
              </div>
            ) : null}
            {finding.fix ? <div className={shared.dim}>Safer: {finding.fix}</div> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

import { IconAlertTriangle } from "@tabler/icons-react";
import { MachineText } from "@/components/ui/machine-text";
import { RevealedText } from "@/components/ui/revealed-text";
import type { Finding } from "@/contracts/decision";
import classes from "./finding-list.module.css";

/** What was recognised as dangerous in a call, the worst first. */
export function FindingList({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Findings">
      {findings.map((finding) => (
        <li
          key={`${finding.detector} ${finding.excerpt}`}
          className={classes.finding}
          data-severity={finding.severity}
          title={finding.explanation || undefined}
        >
          <IconAlertTriangle size={15} aria-hidden className={classes.icon} />
          <div className={classes.words}>
            <span className={classes.severity}>{finding.severity}</span> {finding.message}
            {finding.relaxedBy ? " The rule that decided this call relaxes it." : null}
            {finding.excerpt ? (
              <div className={classes.excerpt}>
                <MachineText>
                  <RevealedText text={finding.excerpt} />
                </MachineText>
              </div>
            ) : null}
            {finding.fix ? <div className={classes.fix}>Instead: {finding.fix}</div> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}

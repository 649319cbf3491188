import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { SkillFinding } from "@/contracts/browser/skills/skills";
import { severityTones, severityWords } from "./skill-words";
import classes from "./skills.module.css";

/** The findings of a scan, each with its file and line. */
export function Findings({ findings }: { findings: readonly SkillFinding[] }) {
  if (findings.length === 0) return <p className={shared.note}>The scan found nothing.</p>;
  return (
    <ul className={`${shared.stack} ${shared.plainList}`}>
      {findings.map(({ severity, file, line, message, excerpt, check }) => (
        <li key={`${file} ${line} ${check} ${message}`} className={classes.finding}>
          <StatusBadge tone={severityTones[severity]}>{severityWords[severity]}</StatusBadge>
          <div className={shared.shrinks}>
            <p className={shared.paragraph}>
              <RevealedText text={message} />{" "}
              <span className={shared.dim}>
                <RevealedText text={`${file}, line ${line}`} />
              </span>
            </p>
            {excerpt === "" ? null : (
              <code className={classes.excerpt}>
                <RevealedText text={excerpt} />
              </code>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

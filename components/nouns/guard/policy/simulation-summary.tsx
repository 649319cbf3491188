import { Progress } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { approvalsSentence, flippedCalls, type SimulationSum, simulationSentence } from "./simulation-sum";
import classes from "./simulation-summary.module.css";

/** Summary of a simulation: changed decisions, and approvals that people would gain or save. */
export function SimulationSummary({ sum }: { sum: SimulationSum }) {
  const flipped = flippedCalls(sum);
  return (
    <div className={classes.summary}>
      <p className={`${classes.sentence} ${shared.paragraph}`} data-changes={flipped > 0 || undefined} aria-live="polite">
        {simulationSentence(sum)}
      </p>
      {sum.total > 0 ? <p className={`${classes.sentence} ${shared.paragraph}`}>{approvalsSentence(sum)}</p> : null}
      {sum.isComplete ? null : (
        <Progress
          size="xs"
          value={sum.total > 0 ? (100 * sum.examined) / sum.total : 0}
          aria-label={`Tried on ${sum.examined} of ${sum.total} calls`}
        />
      )}
    </div>
  );
}

/** The newest calls that would change. */
export function FlippedCalls({ sum }: { sum: SimulationSum }) {
  const flipped = flippedCalls(sum);
  if (flipped === 0) return null;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls must be reachable by keyboard */}
      <ul className={classes.calls} aria-label="Calls that would change" tabIndex={0}>
        {sum.calls.map((call) => (
          <li key={call.callId} className={classes.call}>
            <div className={`${classes.seen} ${shared.mono}`}>
              <RevealedText text={call.seen} />
            </div>
            <div className={classes.outcome}>
              <VerdictBadge verdict={call.before} plain />
              <IconArrowRight size={14} aria-label="becomes" role="img" />
              <VerdictBadge verdict={call.after} />
              <CodeText>{call.tool}</CodeText>
              <RelativeTime at={call.at} />
            </div>
          </li>
        ))}
      </ul>
      {flipped > sum.calls.length ? <p className={shared.note}>The newest {sum.calls.length} of them.</p> : null}
    </>
  );
}

import { Anchor } from "@mantine/core";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { CallFiles } from "@/components/nouns/calls/call-files";
import { JobStatusBadge } from "@/components/nouns/jobs/job-status-badge";
import type { FinishedJob } from "@/contracts/calls/jobs";
import classes from "./turn-view.module.css";

/** Results of background jobs that this turn delivered to the model. */
export function FinishedJobs({ jobs }: { jobs: readonly FinishedJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <section className={classes.told} aria-labelledby="told-heading">
      <h2 className={shared.partTitle} id="told-heading">
        Background results delivered with this turn
      </h2>
      <ul className={`${shared.stack} ${shared.plainList}`}>
        {jobs.map(({ jobId, name, status, isError, content, contentParts, finishedAt }) => (
          <li key={jobId} className={`${classes.toldJob} ${shared.surface}`}>
            <p className={classes.inline}>
              <CodeText>{name}</CodeText>
              <JobStatusBadge status={status} />
              <span className={shared.dim}>
                ended <RelativeTime at={finishedAt} />
              </span>
              <Anchor component={Link} href={`/turns/jobs?job=${jobId}`} size="sm">
                See the job
              </Anchor>
            </p>
            <FoldableBlock label={isError ? "Result sent to the model (error)" : "Result sent to the model"} text={content} />
            <CallFiles call={{ name, truncated: null, contentParts }} />
          </li>
        ))}
      </ul>
    </section>
  );
}

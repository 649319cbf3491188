import { Anchor } from "@mantine/core";
import Link from "next/link";
import { JobStatusBadge } from "@/components/jobs/job-status-badge";
import { FoldableBlock } from "@/components/ui/foldable-block";
import { MachineText } from "@/components/ui/machine-text";
import { RelativeTime } from "@/components/ui/relative-time";
import type { FinishedJob } from "@/contracts/jobs";
import classes from "./turn-view.module.css";

/** What the model learnt with this turn about jobs that had ended since the one before. */
export function FinishedJobs({ jobs }: { jobs: readonly FinishedJob[] }) {
  if (jobs.length === 0) return null;
  return (
    <section className={classes.told} aria-labelledby="told-heading">
      <h2 className={classes.toldTitle} id="told-heading">
        Results of background jobs told with this turn
      </h2>
      <ul className={classes.toldJobs}>
        {jobs.map(({ jobId, name, status, isError, content, finishedAt }) => (
          <li key={jobId} className={classes.toldJob}>
            <p className={classes.inline}>
              <MachineText>{name}</MachineText>
              <JobStatusBadge status={status} />
              <span className={classes.dim}>
                ended <RelativeTime at={finishedAt} />
              </span>
              <Anchor component={Link} href={`/turns/jobs?job=${jobId}`} size="sm">
                See the job
              </Anchor>
            </p>
            <FoldableBlock label={isError ? "What the model reads (an error)" : "What the model reads"} text={content} />
          </li>
        ))}
      </ul>
    </section>
  );
}

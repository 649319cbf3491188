"use client";

import { Anchor } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { CallFiles } from "@/components/nouns/calls/call-files";
import { JobStatusBadge } from "@/components/nouns/jobs/job-status-badge";
import { hasEnded, jobQueries } from "@/components/nouns/jobs/queries";

/** The background job that a call became: its live progress, and a link to its details. */
export function CallJob({ jobId }: { jobId: string }) {
  const { data: job } = useQuery(jobQueries.one(jobId));
  return (
    <>
      <p className={`${shared.bar} ${shared.flush}`}>
        <IconStack2 size={16} stroke={1.7} aria-hidden />
        <span>{job?.promoted ? "Moved to the background by a person." : "Runs as a background job."}</span>
        {job ? <JobStatusBadge status={job.status} /> : null}
        {job && !hasEnded(job) && job.progress ? (
          <span className={shared.dim} role="status">
            <RevealedText text={job.progress} />
          </span>
        ) : null}
        <Anchor component={Link} href={`/turns/jobs?job=${jobId}`} size="sm" underline="always">
          See the job
        </Anchor>
      </p>
      {job ? <CallFiles call={{ name: job.name, truncated: null, contentParts: job.contentParts }} /> : null}
    </>
  );
}

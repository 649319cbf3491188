"use client";

import { Button, Select } from "@mantine/core";
import { IconStack2, IconX } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import type { ListColumn } from "@/components/kit/ui/lists/list-table";
import { PagedTable } from "@/components/kit/ui/lists/paged-table";
import { useDetail } from "@/components/kit/ui/overlays/use-detail";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { type Job, jobStatuses } from "@/contracts/browser/calls/jobs";
import { JobStatusBadge, jobStatusWord } from "./job-status-badge";
import classes from "./jobs.module.css";
import { jobQueries } from "./queries";
import { jobSearch } from "./search-params";

// Loaded after the page, because a drawer opens only on a click.
const JobDrawer = dynamic(() => import("./job-drawer").then((file) => file.JobDrawer), { ssr: false });

const columns: readonly ListColumn<Job>[] = [
  { heading: "Tool", width: "14rem", cell: ({ name }) => <CodeText>{name}</CodeText> },
  { heading: "Status", width: "10.5rem", cell: ({ status }) => <JobStatusBadge status={status} plain /> },
  {
    heading: "Progress",
    cell: ({ progress, content }) => (
      <span className={shared.dim}>
        <RevealedText text={progress || firstLine(content)} />
      </span>
    ),
  },
  { heading: "Duration", width: "7rem", wideOnly: true, cell: ({ durationMs }) => (durationMs === null ? "" : durationText(durationMs)) },
  { heading: "Created", width: "7.5rem", cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
];

const maxLineChars = 100;

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return line.length > maxLineChars ? `${line.slice(0, maxLineChars)}…` : line;
}

/** The background jobs of all conversations, newest first, with details in a drawer. */
export function JobsView() {
  const [{ status, conversation }, setSearch] = useQueryStates(jobSearch);
  const filter = { ...(status ? { status } : {}), ...(conversation ? { conversationId: conversation } : {}) };
  const jobs = useInfiniteQuery(jobQueries.recent(filter));
  const detail = useDetail("job");
  useRowKeys("Background jobs");
  const isFiltered = status !== null || conversation !== null;

  return (
    <>
      <div className={shared.filters}>
        <Select
          className={classes.status}
          aria-label="Status"
          placeholder="Every status"
          data={jobStatuses.map((value) => ({ value, label: jobStatusWord(value) }))}
          value={status}
          onChange={(value) => void setSearch({ status: jobStatuses.find((known) => known === value) ?? null })}
          clearable
          clearButtonProps={{ "aria-label": "Every status" }}
        />
        {conversation ? (
          <Button variant="default" rightSection={<IconX size={14} aria-hidden />} onClick={() => void setSearch({ conversation: null })}>
            One conversation only
          </Button>
        ) : null}
      </div>
      <PagedTable
        query={jobs}
        items="jobs"
        what="the background jobs"
        empty={
          <EmptyState icon={IconStack2} title={isFiltered ? "No matching jobs" : "No background jobs yet"}>
            {isFiltered
              ? "Choose another status to see more."
              : "Calls with runInBackground appear here, and running calls that a person moves to the background."}
          </EmptyState>
        }
        label="Background jobs"
        columns={columns}
        hrefOf={({ id }) => `?job=${id}`}
        onOpen={({ id }) => detail.open(id)}
      />
      <JobDrawer id={detail.id} onClose={detail.close} />
    </>
  );
}

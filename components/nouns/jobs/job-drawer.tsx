"use client";

import { Anchor, Skeleton, Stack } from "@mantine/core";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { Facts } from "@/components/kit/ui/page/facts";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { useNow } from "@/components/kit/ui/text/now";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { CallArguments } from "@/components/nouns/calls/call-arguments";
import { CallFiles } from "@/components/nouns/calls/call-files";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type Job, jobEndpoints } from "@/contracts/browser/calls/jobs";
import { JobStatusBadge } from "./job-status-badge";
import { hasEnded, jobQueries } from "./queries";

/** Details of a background job: its call, progress, result and delivery. */
export function JobDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  const { data: job, error, refetch, isRefetching } = useQuery({ ...jobQueries.one(id ?? ""), enabled: id !== null });
  return (
    <DetailDrawer
      opened={id !== null}
      onClose={onClose}
      title={job ? <CodeText>{job.name}</CodeText> : "Background job"}
      footer={job && !hasEnded(job) ? <CancelJob job={job} /> : null}
    >
      {job ? (
        <Story job={job} />
      ) : error ? (
        <ErrorState error={error} what="this job" retry={refetch} retrying={isRefetching} />
      ) : (
        <Stack aria-hidden>
          <Skeleton height={40} />
          <Skeleton height={120} />
        </Stack>
      )}
    </DetailDrawer>
  );
}

function Story({ job }: { job: Job }) {
  const { data: tools } = useQuery(toolQueries.list());
  return (
    <Stack gap="lg">
      <div className={shared.inline}>
        <JobStatusBadge status={job.status} />
        {hasEnded(job) ? null : <span role="status">{job.progress ? <RevealedText text={job.progress} /> : waitingWords(job)}</span>}
      </div>
      <CallArguments args={job.arguments} primaryArgument={tools?.find(({ name }) => name === job.name)?.primaryArgument ?? null} />
      {job.content ? (
        <FoldableBlock
          label={job.isError ? "Result sent to the model (error)" : "Result sent to the model"}
          text={job.content}
          startsAtEnd={job.isError}
        />
      ) : null}
      <CallFiles call={job} />
      <Facts
        facts={[
          [
            "Started as",
            job.promoted ? "a running call that a person moved to the background" : "a call that asked to run in the background",
          ],
          [
            "Turn",
            <Anchor key="turn" component={Link} href={`/turns/${job.turnId}`} size="sm">
              See the turn
            </Anchor>,
          ],
          ["Delivered to the model", <Told key="told" job={job} />],
          ["Took", <TimeTaken key="took" job={job} />],
          ["Requested by", job.requestedBy.name],
          ["Created", <RelativeTime key="created" at={job.createdAt} />],
          ["Ended", job.finishedAt ? <RelativeTime key="ended" at={job.finishedAt} /> : null],
          [
            "Conversation",
            <span key="conversation" className={shared.inline}>
              <ShortId id={job.conversationId} what="conversation id" />
              <Anchor component={Link} href={`/turns/jobs?conversation=${job.conversationId}`} size="sm">
                Its jobs
              </Anchor>
            </span>,
          ],
          ["Job", <ShortId key="job" id={job.id} what="job id" />],
        ]}
      />
    </Stack>
  );
}

const waitingWords = ({ status }: Job) => (status === "pending" ? "Waiting for a free worker." : "No progress reported.");

function Told({ job }: { job: Job }) {
  if (!hasEnded(job)) return "after the job ends";
  if (!job.deliveredTurnId) return "not yet; with the next turn of the conversation";
  return (
    <Anchor component={Link} href={`/turns/${job.deliveredTurnId}`} size="sm">
      With this turn
    </Anchor>
  );
}

function TimeTaken({ job }: { job: Job }) {
  const now = useNow();
  if (job.durationMs !== null) return durationText(job.durationMs);
  if (!job.startedAt) return "nothing yet";
  const end = job.finishedAt ? Date.parse(job.finishedAt) : now;
  return durationText(Math.floor(Math.max(0, end - Date.parse(job.startedAt)) / 1_000) * 1_000);
}

function CancelJob({ job }: { job: Job }) {
  const refusal = useRefusal("turns:write");
  const client = useQueryClient();
  const cancel = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(jobEndpoints.cancel, { params: { id: job.id } }),
    onSuccess: (cancelled) => client.setQueryData(jobQueries.one(job.id).queryKey, cancelled),
    onSettled: () => client.invalidateQueries({ queryKey: jobQueries.all() }),
  });
  const askFirst = () =>
    confirmAction({
      title: "Cancel this job?",
      children: "The tool is told to stop, and the model is told that the job was cancelled. Completed work is not undone.",
      action: "Cancel job",
      keep: "Keep running",
      onConfirm: () => cancel.mutateAsync(),
    });
  return (
    <RefusableButton refusal={refusal} variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={askFirst}>
      Cancel job
    </RefusableButton>
  );
}

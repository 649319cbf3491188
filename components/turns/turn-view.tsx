"use client";

import { Button } from "@mantine/core";
import { IconPlayerStop } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { call } from "@/components/api/call";
import { useRefusal } from "@/components/shell/me";
import { toolQueries } from "@/components/tools/queries";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { ErrorState } from "@/components/ui/error-state";
import { Facts } from "@/components/ui/facts";
import { useNow } from "@/components/ui/now";
import { PageHeader } from "@/components/ui/page-header";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { ShortId } from "@/components/ui/short-id";
import { type Turn, turnEndpoints } from "@/contracts/turns";
import { TurnStatusBadge } from "./call-status-badge";
import { CallStep } from "./call-step";
import { durationText } from "./duration-text";
import { FinishedJobs } from "./finished-jobs";
import type { RawJournalEvent } from "./journal-event";
import { turnQueries } from "./queries";
import { stepsOfCall } from "./steps-of-call";
import { Timeline } from "./timeline";
import classes from "./turn-view.module.css";
import { useJournal } from "./use-journal";

/**
 * One turn while it happens and ever after: its segments and waits, each call with its decision, arguments and result.
 * @param journalAtFirst the journal as the server knew it when it drew the page
 */
export function TurnView({ id, journalAtFirst }: { id: string; journalAtFirst: readonly RawJournalEvent[] }) {
  const { data: turn, error, refetch, isRefetching } = useQuery(turnQueries.one(id));
  const { data: tools } = useQuery(toolQueries.list());
  const { journal, progress } = useJournal(id, journalAtFirst);
  if (!turn && error) return <ErrorState error={error} what="this turn" retry={refetch} retrying={isRefetching} />;
  if (!turn) return <RowSkeletons rows={4} height={5} what="this turn" />;
  return (
    <>
      <PageHeader title="Turn">
        <TurnStatusBadge status={turn.status} />
        {turn.finishedAt === null ? <CancelTurn turn={turn} /> : null}
      </PageHeader>
      <div className={classes.facts}>
        <Facts
          facts={[
            ["Submitted", <RelativeTime key="submitted" at={turn.createdAt} />],
            [turn.finishedAt ? "Took" : "So far", <TimeTaken key="took" turn={turn} />],
            [
              "Conversation",
              <span key="conversation" className={classes.inline}>
                <ShortId id={turn.conversationId} what="conversation id" />
                <Link className={classes.link} href={`/turns?conversation=${turn.conversationId}`}>
                  Its turns
                </Link>
                <Link className={classes.link} href={`/audit?conversation=${turn.conversationId}`}>
                  Its audit
                </Link>
              </span>,
            ],
            ["Turn", <ShortId key="turn" id={turn.id} what="turn id" />],
          ]}
        />
      </div>
      <Timeline
        calls={turn.calls}
        journal={journal}
        aloneTools={new Set(tools?.filter(({ concurrencySafe }) => !concurrencySafe).map(({ name }) => name))}
        draw={(made) => (
          <CallStep
            turnId={id}
            call={made}
            tool={tools?.find(({ name }) => name === made.name)}
            progress={progress.get(made.callId) ?? null}
            steps={stepsOfCall(journal, made.callId)}
          />
        )}
      />
      <FinishedJobs jobs={turn.finishedJobs ?? []} />
    </>
  );
}

function TimeTaken({ turn }: { turn: Turn }) {
  const now = useNow();
  const end = turn.finishedAt ? Date.parse(turn.finishedAt) : now;
  // The server and the browser may be a second apart.
  return <span suppressHydrationWarning>{durationText(Math.max(0, end - Date.parse(turn.createdAt)))}</span>;
}

function CancelTurn({ turn }: { turn: Turn }) {
  const refusal = useRefusal("turns:write");
  const client = useQueryClient();
  const cancel = useMutation({
    meta: { showsError: true },
    mutationFn: () => call(turnEndpoints.cancel, { params: { id: turn.id } }),
    onSuccess: (cancelled) => client.setQueryData(turnQueries.one(turn.id).queryKey, cancelled),
    onSettled: () => client.invalidateQueries({ queryKey: turnQueries.all() }),
  });
  const askFirst = () =>
    confirmAction({
      title: "Cancel this turn?",
      children: "Running calls are told to stop, waiting ones do not run, and open approvals are withdrawn. What has run stays done.",
      action: "Cancel the turn",
      onConfirm: () => cancel.mutateAsync(),
    });
  return (
    <DisabledReason reason={refusal}>
      <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} disabled={refusal !== null} onClick={askFirst}>
        Cancel
      </Button>
    </DisabledReason>
  );
}

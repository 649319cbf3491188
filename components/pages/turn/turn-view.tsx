"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import Link from "next/link";
import { Facts } from "@/components/kit/ui/page/facts";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { useNow } from "@/components/kit/ui/text/now";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { TurnStatusBadge } from "@/components/nouns/calls/call-status-badge";
import { HandedTasks } from "@/components/nouns/delegation/handed-tasks";
import { RunOfTurn } from "@/components/nouns/runs/run-of-turn";
import { toolQueries } from "@/components/nouns/tools/queries";
import { CancelTurn } from "@/components/nouns/turns/cancel-turn";
import { hasOpenQuestion, type RawJournalEvent } from "@/components/nouns/turns/journal-event";
import { listCallSteps } from "@/components/nouns/turns/list-call-steps";
import { turnQueries } from "@/components/nouns/turns/queries";
import { useJournal } from "@/components/nouns/turns/use-journal";
import { WorkListPanel } from "@/components/nouns/work-lists/work-list-panel";
import type { Turn } from "@/contracts/turns/turns";
import { CallStep } from "./call-step";
import { FinishedJobs } from "./finished-jobs";
import { Timeline } from "./timeline";
import classes from "./turn-view.module.css";

const TurnChanges = dynamic(() => import("@/components/nouns/file-changes/turn-changes"), { ssr: false });

/**
 * One turn, live or finished: its segments and waits, and each call with decision, arguments and result.
 * @param journalAtFirst the journal as the server read it for the page
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
        <TurnStatusBadge status={turn.status} isAsking={hasOpenQuestion(journal)} />
        {turn.finishedAt === null ? <CancelTurn turnId={turn.id} /> : null}
      </PageHeader>
      <div className={classes.facts}>
        <Facts
          facts={[
            ["Submitted", <RelativeTime key="submitted" at={turn.createdAt} />],
            [turn.finishedAt ? "Duration" : "Elapsed", <TimeTaken key="took" turn={turn} />],
            [
              "Conversation",
              <span key="conversation" className={classes.inline}>
                <ShortId id={turn.conversationId} what="conversation id" />
                <Link className={shared.plainLink} href={`/turns?conversation=${turn.conversationId}`}>
                  Other turns
                </Link>
                <Link className={shared.plainLink} href={`/audit?conversation=${turn.conversationId}`}>
                  Audit log
                </Link>
                <RunOfTurn className={shared.plainLink} turnId={turn.id} />
              </span>,
            ],
            ["Turn", <ShortId key="turn" id={turn.id} what="turn id" />],
          ]}
        />
      </div>
      <WorkListPanel conversationId={turn.conversationId} />
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
            steps={listCallSteps(journal, made.callId)}
          />
        )}
      />
      <TurnChanges conversationId={turn.conversationId} turnId={turn.id} isRunning={turn.finishedAt === null} />
      <HandedTasks conversationId={turn.conversationId} />
      <FinishedJobs jobs={turn.finishedJobs ?? []} />
    </>
  );
}

function TimeTaken({ turn }: { turn: Turn }) {
  const now = useNow();
  const end = turn.finishedAt ? Date.parse(turn.finishedAt) : now;
  // The clocks of server and browser may differ by a second.
  return <span suppressHydrationWarning>{durationText(Math.max(0, end - Date.parse(turn.createdAt)))}</span>;
}

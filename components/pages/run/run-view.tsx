"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { LoadMore } from "@/components/kit/ui/lists/load-more";
import { Facts } from "@/components/kit/ui/page/facts";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { durationText } from "@/components/kit/ui/text/duration-text";
import { FoldableBlock } from "@/components/kit/ui/text/foldable-block";
import { useNow } from "@/components/kit/ui/text/now";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ShortId } from "@/components/kit/ui/text/short-id";
import { TokenCount } from "@/components/kit/ui/text/token-count";
import { HandedTasks } from "@/components/nouns/delegation/handed-tasks";
import { costWords, estimateWords } from "@/components/nouns/runs/cost-words";
import { runQueries } from "@/components/nouns/runs/queries";
import { RunStatusBadge } from "@/components/nouns/runs/run-status-badge";
import { isOpenRun } from "@/components/pages/chat/run/is-open-run";
import { KnownTurnsProvider } from "@/components/pages/chat/run/known-turns";
import { Thinking } from "@/components/pages/chat/run/thinking";
import { toSteps, turnOf } from "@/components/pages/chat/run/to-steps";
import { WrittenCalls } from "@/components/pages/chat/run/written-calls";
import type { Run } from "@/contracts/runs/runs";
import { CancelRun } from "./cancel-run";
import { RunStep } from "./run-step";
import classes from "./run-view.module.css";
import { useFollowOneRun } from "./use-follow-one-run";

/** One run, live or ended: its state, usage and limits, and each request to the model with its calls. */
export function RunView({ id }: { id: string }) {
  const { data: run, error, refetch, isRefetching } = useQuery(runQueries.one(id));
  const isOpen = run !== undefined && isOpenRun(run);
  const messages = useInfiniteQuery(runQueries.messages(id));
  const reply = useFollowOneRun(id, isOpen);
  if (!run && error) return <ErrorState error={error} what="this run" retry={refetch} retrying={isRefetching} />;
  if (!run) return <RowSkeletons rows={4} height={5} what="this run" />;
  const all = messages.data?.pages.flatMap(({ items }) => items) ?? [];
  const { asked, steps } = toSteps(all);
  const isWritten = reply === null || all.some(({ position }) => position === reply.position);
  return (
    <>
      <PageHeader title="Run">
        <RunStatusBadge status={run.status} />
        {isOpen ? <CancelRun runId={run.id} /> : null}
      </PageHeader>
      <RunFacts run={run} />
      {run.error ? (
        <p className={classes.error} data-status={run.status} role={run.status === "failed" ? "alert" : "status"}>
          <RevealedText text={run.error} />
        </p>
      ) : null}
      <HandedTasks conversationId={run.conversationId} />
      {asked ? <FoldableBlock label="Message" text={asked.text} /> : null}
      <section className={classes.steps} aria-labelledby="steps-heading">
        <h2 id="steps-heading" className={`${shared.title} ${shared.above}`}>
          Steps
        </h2>
        {!messages.data && messages.error ? (
          <ErrorState error={messages.error} what="the steps" retry={() => void messages.refetch()} retrying={messages.isRefetching} />
        ) : !messages.data ? (
          <RowSkeletons rows={3} height={4} what="the steps" />
        ) : (
          <KnownTurnsProvider conversationId={run.conversationId}>
            {steps.length === 0 && isWritten ? (
              <p className={shared.note}>{isOpen ? "The model has not replied yet." : "The run ended before the model replied."}</p>
            ) : null}
            <ol className={classes.list}>
              {steps.map((step, place) => (
                <RunStep
                  key={step.reply.position}
                  number={place + 1}
                  step={step}
                  askedAt={steps[place - 1]?.results.at(-1)?.createdAt ?? steps[place - 1]?.reply.createdAt ?? run.createdAt}
                  turnId={turnOf(steps, place, run.turnId)}
                  isLive={isOpen && place === steps.length - 1 && step.results.length === 0}
                />
              ))}
            </ol>
            {isWritten ? null : (
              <section className={`${classes.step} ${shared.surface}`} aria-label="The reply that the model writes now">
                {reply.reasoning ? <Thinking text={reply.reasoning} isLive={reply.text === ""} /> : null}
                {reply.text ? (
                  <p className={shared.typed}>
                    <RevealedText text={reply.text} />
                  </p>
                ) : null}
                {reply.calls.length > 0 ? <WrittenCalls calls={reply.calls} /> : null}
              </section>
            )}
            <LoadMore query={messages} what="steps" />
          </KnownTurnsProvider>
        )}
      </section>
    </>
  );
}

function RunFacts({ run }: { run: Run }) {
  const { inputTokens, cachedInputTokens, outputTokens, costUsd, isEstimated } = run.usage;
  const cost = costWords(costUsd);
  return (
    <div className={classes.facts}>
      <Facts
        facts={[
          [
            "Agent",
            <Link key="agent" className={shared.plainLink} href={`/agents/${run.agentId}?tab=runs`}>
              <RevealedText text={run.agent} />
            </Link>,
          ],
          [
            "Started",
            <span key="started">
              <RelativeTime at={run.createdAt} /> by <RevealedText text={run.requestedBy.name} />
            </span>,
          ],
          [run.finishedAt ? "Duration" : "Elapsed", <TimeTaken key="took" run={run} />],
          ["Steps", `${run.steps} of at most ${run.limits.steps}`],
          [
            "Tokens",
            <span key="tokens">
              <TokenCount tokens={inputTokens} unit={false} isEstimate={isEstimated} /> input
              {cachedInputTokens > 0 ? (
                <>
                  {" "}
                  (<TokenCount tokens={cachedInputTokens} unit={false} /> from the cache)
                </>
              ) : null}
              , <TokenCount tokens={outputTokens} unit={false} isEstimate={isEstimated} /> output
            </span>,
          ],
          ["Cost", cost ? estimateWords(cost, isEstimated) : "Unknown, because a model has no price"],
          [
            "Conversation",
            <span key="conversation" className={classes.inline}>
              <Link className={shared.plainLink} href={`/chat?chat=${run.conversationId}`}>
                Open in chat
              </Link>
              <Link className={shared.plainLink} href={`/turns?conversation=${run.conversationId}`}>
                Turns
              </Link>
              <Link className={shared.plainLink} href={`/audit?conversation=${run.conversationId}`}>
                Audit log
              </Link>
            </span>,
          ],
          [
            "Replaced by",
            run.supersededBy ? (
              <Link key="replaced" className={shared.plainLink} href={`/runs/${run.supersededBy}`}>
                A later run
              </Link>
            ) : null,
          ],
          ["Run", <ShortId key="run" id={run.id} what="run id" />],
        ]}
      />
    </div>
  );
}

function TimeTaken({ run }: { run: Run }) {
  const now = useNow();
  const end = run.finishedAt ? Date.parse(run.finishedAt) : now;
  // The clocks of server and browser may differ by a second.
  return <span suppressHydrationWarning>{durationText(Math.max(0, end - Date.parse(run.createdAt)))}</span>;
}

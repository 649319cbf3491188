"use client";

import { Button } from "@mantine/core";
import { IconArrowDown, IconGhost, IconMessages } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type DragEvent, type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AnswerText } from "@/components/kit/markdown/answer-text";
import { useRefusal } from "@/components/kit/session/me";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Agent } from "@/contracts/agents/agents";
import { runsInOrder } from "./chat-cache";
import classes from "./chat-pane.module.css";
import { Composer } from "./composer/composer";
import { NoModelNote, useHasNoModel } from "./composer/no-model-note";
import { QueuedNote } from "./composer/queued-note";
import { useWriting } from "./composer/use-writing";
import { chatQueries } from "./queries";
import { isOpenRun } from "./run/is-open-run";
import { KnownTurnsProvider } from "./run/known-turns";
import { type Resend, RunSection } from "./run/run-section";
import { useStopRun } from "./use-chat-actions";
import type { useConversation } from "./use-conversation";
import { useFollowRun } from "./use-follow-run";
import { useStickToEnd } from "./use-stick-to-end";

type ChatPaneProps = {
  /** Id of the open conversation; null for a new one. */
  chosen: string | null;
  agent: Agent;
  conversation: ReturnType<typeof useConversation>;
  field: Ref<HTMLTextAreaElement>;
  onStarted: (conversationId: string) => void;
};

/** One conversation: its messages, live, and the field for the next one. */
export function ChatPane({ chosen, agent, conversation, field, onStarted }: ChatPaneProps) {
  const refusal = useRefusal("turns:write");
  const hasNoModel = useHasNoModel(agent);
  const query = useInfiniteQuery({ ...chatQueries.runs(chosen ?? ""), enabled: chosen !== null });
  const entries = chosen === null ? [] : runsInOrder(query.data);
  const last = entries.at(-1) ?? null;
  const isWorking = last !== null && isOpenRun(last.run);
  const reply = useFollowRun(chosen, last);
  const stop = useStopRun();
  const { scroller, content, isAtEnd, toEnd } = useStickToEnd();
  const writing = useWriting({ chosen, agent, conversation, status: last?.run.status ?? null, isWorking, onStarted });
  const { files, send, queue } = writing;
  const onResend = useStable<Parameters<Resend>[0]>(({ runId, text, attachments }) => send({ text, attachments, replaces: runId }));
  const dropping = useDroppedFiles((dropped) => {
    if (refusal === null) void files.add(dropped);
  });
  useOnceTrue(entries.length > 0, toEnd);

  return (
    <div className={classes.pane} {...dropping}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={classes.scroll} ref={scroller} tabIndex={0} aria-label="Conversation">
        <div className={classes.thread} ref={content}>
          {chosen === null ? (
            <Welcome agent={agent} />
          ) : query.isPending ? (
            <RowSkeletons rows={3} height={5} what="the conversation" />
          ) : query.isError && entries.length === 0 ? (
            <Unloaded error={query.error} retry={() => void query.refetch()} retrying={query.isRefetching} />
          ) : (
            <KnownTurnsProvider conversationId={chosen}>
              {query.hasNextPage ? <Earlier isLoading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()} /> : null}
              {entries.map((entry, index) => (
                <RunSection
                  key={entry.run.id}
                  entry={entry}
                  reply={reply?.runId === entry.run.id ? reply : null}
                  isLast={index === entries.length - 1}
                  refusal={isWorking ? "The agent is still working. Stop it first, or wait." : refusal}
                  isSending={writing.replacing === entry.run.id}
                  onResend={onResend}
                />
              ))}
            </KnownTurnsProvider>
          )}
        </div>
      </section>
      <div className={classes.foot}>
        {isAtEnd ? null : <ToEnd onClick={toEnd} />}
        {queue.queued ? (
          <QueuedNote
            queued={queue.queued}
            isWorking={isWorking}
            isSending={writing.isPending}
            onSend={queue.send}
            onEdit={queue.edit}
            onCancel={queue.cancel}
          />
        ) : null}
        {hasNoModel ? <NoModelNote /> : null}
        <Composer
          agent={agent}
          text={writing.text}
          onType={writing.type}
          files={files}
          refusal={refusal ?? (hasNoModel ? "No model is configured. Add one in Settings → Models." : null)}
          isWorking={isWorking}
          isSending={writing.isPending && writing.replacing === null}
          isStopping={stop.isPending}
          error={toSentence(writing.error ?? stop.error)}
          field={field}
          onSend={() => {
            if (!isWorking) toEnd();
            writing.submit();
          }}
          onStop={() => last && stop.mutate(last.run.id)}
        />
      </div>
    </div>
  );
}

const toSentence = (error: unknown): string | null => (error ? toErrorSentence(error) : null);

/** Returns one function for the life of the component that does as the newest one, so that a growing answer does not draw the other messages again. */
function useStable<Input>(newest: (input: Input) => void): (input: Input) => void {
  const latest = useRef(newest);
  useLayoutEffect(() => {
    latest.current = newest;
  });
  const [stable] = useState(() => (input: Input) => latest.current(input));
  return stable;
}

/** Returns the properties of an element that files can be dropped on. It needs no role, because a button adds files too. */
function useDroppedFiles(onFiles: (files: File[]) => void) {
  const [isDropping, setIsDropping] = useState(false);
  return {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      setIsDropping(true);
    },
    onDragLeave: () => setIsDropping(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      setIsDropping(false);
      onFiles([...event.dataTransfer.files]);
    },
    "data-dropping": isDropping || undefined,
  };
}

/** Acts when the condition is true for the first time. */
function useOnceTrue(condition: boolean, act: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current || !condition) return;
    isDone.current = true;
    act();
  });
}

function Earlier({ isLoading, onClick }: { isLoading: boolean; onClick: () => void }) {
  return (
    <Button className={classes.earlier} variant="subtle" color="gray" size="compact-sm" loading={isLoading} onClick={onClick}>
      Show earlier messages
    </Button>
  );
}

function ToEnd({ onClick }: { onClick: () => void }) {
  return (
    <Button
      className={classes.toEnd}
      variant="default"
      size="compact-sm"
      leftSection={<IconArrowDown size={14} aria-hidden />}
      onClick={onClick}
    >
      Latest
    </Button>
  );
}

function Welcome({ agent }: { agent: Agent }) {
  return (
    <div className={classes.welcome}>
      <IconMessages size={30} stroke={1.4} aria-hidden className={shared.dim} />
      <h2>
        Talk to <RevealedText text={agent.name} />
      </h2>
      {agent.isDefault || agent.description === "" ? null : <AnswerText text={agent.description} />}
      <p>Its tool calls go through the guard. Calls that need approval appear here and in Approvals.</p>
    </div>
  );
}

function Unloaded({ error, retry, retrying }: { error: unknown; retry: () => void; retrying: boolean }) {
  const isGone = isApiProblem(error) && error.problem.status === 404;
  if (!isGone) return <ErrorState error={error} what="this conversation" retry={retry} retrying={retrying} />;
  return (
    <EmptyState icon={IconGhost} title="This conversation does not exist">
      It was deleted, or the link is wrong. Choose another one, or begin a new one.
    </EmptyState>
  );
}

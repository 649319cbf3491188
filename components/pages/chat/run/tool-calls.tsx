"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { JournalEvent } from "@/components/nouns/turns/journal-event";
import { listCallSteps } from "@/components/nouns/turns/list-call-steps";
import { turnQueries } from "@/components/nouns/turns/queries";
import { useJournal } from "@/components/nouns/turns/use-journal";
import type { RunMessage } from "@/contracts/runs/runs";
import { useKnownTurns } from "./known-turns";
import { ToolCall } from "./tool-call";
import classes from "./tool-calls.module.css";

type ToolCallsProps = {
  asked: RunMessage["toolCalls"];
  results: readonly RunMessage[];
  /** The turn of the calls; null until the run names it. */
  turnId: string | null;
  /** The calls are those at which the run works or waits. */
  isLive: boolean;
};

const noEvents: readonly JournalEvent[] = [];
const noProgress: ReadonlyMap<string, string> = new Map();

/** The calls of one reply, live while their turn runs. */
export function ToolCalls(props: ToolCallsProps) {
  const { turnId, isLive } = props;
  if (turnId !== null && isLive) return <LiveCalls {...props} turnId={turnId} />;
  return <Calls {...props} journal={noEvents} progress={noProgress} />;
}

function LiveCalls(props: ToolCallsProps & { turnId: string }) {
  const { journal, progress } = useJournal(props.turnId, []);
  return <Calls {...props} journal={journal} progress={progress} />;
}

type CallsProps = ToolCallsProps & { journal: readonly JournalEvent[]; progress: ReadonlyMap<string, string> };

function Calls({ asked, results, turnId, isLive, journal, progress }: CallsProps) {
  const { turns, isLoaded } = useKnownTurns();
  const { data: tools } = useQuery(toolQueries.list());
  const known = turnId === null ? undefined : turns.get(turnId);
  const { data: read, refetch } = useQuery({
    ...turnQueries.one(turnId ?? ""),
    // Also while the turn as it was read is open: its calls may have been decided since the run went on.
    enabled: ({ state }) => turnId !== null && (isLive || (isLoaded && !known) || state.data?.finishedAt === null),
  });
  const turn = known ?? read;
  const isBehind = results.length > 0 && read?.finishedAt === null;
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, refetch]);
  return (
    <div className={classes.calls}>
      {asked.map((call) => {
        const inTurn = turn?.calls.find(({ id }) => id === call.id);
        return (
          <ToolCall
            key={call.id}
            asked={call}
            result={results.find(({ callId }) => callId === call.id)}
            turnId={turnId}
            call={inTurn}
            tool={tools?.find(({ name }) => name === (inTurn?.name ?? call.name))}
            progress={inTurn ? (progress.get(inTurn.callId) ?? null) : null}
            steps={inTurn ? listCallSteps(journal, inTurn.callId) : []}
            isLive={isLive}
          />
        );
      })}
    </div>
  );
}

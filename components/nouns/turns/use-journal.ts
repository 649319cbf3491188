"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { listenToEvents } from "@/components/kit/api/event-stream";
import { isJsonObject } from "@/components/kit/api/read-json";
import { turnEndpoints, turnEventNames } from "@/contracts/browser/turns/turns";
import { type JournalEvent, type RawJournalEvent, readJournal } from "./journal-event";
import { turnQueries } from "./queries";

/**
 * Returns the journal of a turn, kept current by its event stream until the turn is finished. Each new event refetches
 * the turn.
 * @param atFirst the journal as the server read it for the page
 * @returns the journal, and the last line of progress of each call by the call's id
 */
export function useJournal(
  turnId: string,
  atFirst: readonly RawJournalEvent[],
): { journal: readonly JournalEvent[]; progress: ReadonlyMap<string, string> } {
  const client = useQueryClient();
  const [events, setEvents] = useState(atFirst);
  const [progress, setProgress] = useState<ReadonlyMap<string, string>>(new Map());
  const seen = useRef(atFirst.at(-1)?.seq ?? 0);
  const isOver = events.at(-1)?.name === "turn.finished";
  useEffect(() => {
    if (isOver) return;
    const readAgain = () => void client.invalidateQueries({ queryKey: turnQueries.one(turnId).queryKey });
    return listenToEvents(endpointAddress(turnEndpoints.events, { params: { id: turnId } }), turnEventNames, {
      onOpen: readAgain,
      onEvent: ({ id, name, data }) => {
        const known = turnEventNames.find((candidate) => candidate === name);
        if (known === "call.progress") {
          const { callId, message } = isJsonObject(data) ? data : {};
          if (typeof callId === "string" && typeof message === "string") setProgress((lines) => new Map(lines).set(callId, message));
          return;
        }
        const seq = Number(id);
        // Skips known events, because a stream starts at the beginning of the journal.
        if (!known || !isJsonObject(data) || !(seq > seen.current)) return;
        seen.current = seq;
        setEvents((before) => [...before, { seq, name: known, data }]);
        readAgain();
      },
    });
  }, [client, turnId, isOver]);
  return { journal: useMemo(() => readJournal(events), [events]), progress };
}

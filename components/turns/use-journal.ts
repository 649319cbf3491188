"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { z } from "zod";
import { addressOf } from "@/components/api/address-of";
import { listenToEvents } from "@/components/api/event-stream";
import { JsonObject } from "@/contracts/common";
import { turnEndpoints, turnEventNames } from "@/contracts/turns";
import { type JournalEvent, type RawJournalEvent, readJournal } from "./journal-event";
import { turnQueries } from "./queries";

const Progress = z.object({ callId: z.string(), message: z.string() });

/**
 * The journal of a turn, kept current by its event stream until the turn is finished; each new event reads the turn again.
 * @param atFirst the journal as the server knew it when it drew the page
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
    return listenToEvents(addressOf(turnEndpoints.events, { params: { id: turnId } }), turnEventNames, {
      onOpen: readAgain,
      onEvent: ({ id, name, data }) => {
        const known = turnEventNames.find((candidate) => candidate === name);
        if (known === "call.progress") {
          const said = Progress.safeParse(data);
          if (said.success) setProgress((lines) => new Map(lines).set(said.data.callId, said.data.message));
          return;
        }
        const seq = Number(id);
        const told = JsonObject.safeParse(data);
        // A stream begins at the start of the journal, of which the page knows some already.
        if (!known || !told.success || !(seq > seen.current)) return;
        seen.current = seq;
        setEvents((before) => [...before, { seq, name: known, data: told.data }]);
        readAgain();
      },
    });
  }, [client, turnId, isOver]);
  return { journal: useMemo(() => readJournal(events), [events]), progress };
}

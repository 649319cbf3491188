"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { z } from "zod";
import { addressOf } from "@/components/api/address-of";
import { listenToEvents } from "@/components/api/event-stream";
import { turnEndpoints, turnEventNames } from "@/contracts/turns";
import { turnQueries } from "./queries";

const Progress = z.object({ callId: z.string(), message: z.string() });

/**
 * Keeps an unfinished turn current by its event stream.
 * @returns the last line of progress of each call, by the call's id
 */
export function useTurnEvents(turnId: string, isFinished: boolean): ReadonlyMap<string, string> {
  const client = useQueryClient();
  const [progress, setProgress] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (isFinished) return;
    const readAgain = () => void client.invalidateQueries({ queryKey: turnQueries.one(turnId).queryKey });
    return listenToEvents(addressOf(turnEndpoints.events, { params: { id: turnId } }), turnEventNames, {
      onOpen: readAgain,
      onEvent: ({ name, data }) => {
        if (name !== "call.progress") return readAgain();
        const said = Progress.safeParse(data);
        if (said.success) setProgress((lines) => new Map(lines).set(said.data.callId, said.data.message));
      },
    });
  }, [client, turnId, isFinished]);
  return progress;
}

"use client";

import { type InfiniteData, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { listenToEvents } from "@/components/kit/api/event-stream";
import { isJsonObject } from "@/components/kit/api/read-json";
import { runQueries } from "@/components/nouns/runs/queries";
import { type LiveReply, nextReply } from "@/components/pages/chat/run/live-reply";
import { type Run, type RunMessage, runEndpoints, runEventNames } from "@/contracts/browser/runs/runs";

/** Keeps an open run and its messages current by its event stream. @returns the reply that is being written */
export function useFollowOneRun(id: string, isOpen: boolean): LiveReply | null {
  const client = useQueryClient();
  const [reply, setReply] = useState<LiveReply | null>(null);
  const onEvent = useEffectEvent((name: string, data: unknown) => {
    setReply((before) => nextReply(before, id, name, data));
    if (name === "message.added" && isMessage(data))
      client.setQueryData(runQueries.messages(id).queryKey, (pages) => withMessage(pages, data));
    if ((name === "run.updated" || name === "run.finished") && isRun(data)) client.setQueryData(runQueries.one(id).queryKey, data);
  });
  useEffect(() => {
    if (!isOpen) return;
    const stop = listenToEvents(endpointAddress(runEndpoints.events, { params: { id } }), runEventNames, {
      // A new connection sends the reply from its beginning.
      onOpen: () => setReply(null),
      onCut: () => setReply(null),
      onEvent: ({ name, data }) => onEvent(name, data),
    });
    return () => {
      stop();
      setReply(null);
    };
  }, [id, isOpen]);
  return reply;
}

type Pages = InfiniteData<{ items: RunMessage[]; nextCursor: string | null; total?: number | undefined }, unknown>;

/** Adds a message behind the last page; while older pages are not loaded, its own page brings it later. */
function withMessage(pages: Pages | undefined, message: RunMessage): Pages | undefined {
  const last = pages?.pages.at(-1);
  if (!pages || !last || last.nextCursor !== null) return pages;
  if (pages.pages.some(({ items }) => items.some(({ position }) => position === message.position))) return pages;
  return { ...pages, pages: pages.pages.with(-1, { ...last, items: [...last.items, message] }) };
}

const isMessage = (data: unknown): data is RunMessage =>
  isJsonObject(data) && typeof data.position === "number" && typeof data.runId === "string" && Array.isArray(data.toolCalls);
const isRun = (data: unknown): data is Run => isJsonObject(data) && typeof data.id === "string" && typeof data.status === "string";

"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { endpointAddress } from "@/components/kit/api/endpoint-address";
import { listenToEvents } from "@/components/kit/api/event-stream";
import { isJsonObject } from "@/components/kit/api/read-json";
import { type Run, type RunMessage, runEndpoints, runEventNames } from "@/contracts/browser/runs/runs";
import type { ChatRun } from "@/contracts/runs/chats";
import { withMessage, withRun } from "./chat-cache";
import { chatQueries } from "./queries";
import { isOpenRun } from "./run/is-open-run";
import { type LiveReply, nextReply } from "./run/live-reply";
import { onChatNews } from "./tab-news";

/** Interval at which the last run is read: while its stream is cut, while it streams, and while nothing runs. */
const pollMs = { cut: 2_000, streaming: 20_000, idle: 5_000 } as const;

/**
 * Follows the open run of a conversation: by its event stream, and by reading the last run while the stream is cut. Also finds runs
 * that other tabs and people start.
 * @returns the reply that is being written
 */
export function useFollowRun(conversationId: string | null, last: ChatRun | null): LiveReply | null {
  const client = useQueryClient();
  const [reply, setReply] = useState<LiveReply | null>(null);
  const [isCut, setIsCut] = useState(false);
  const openId = last && isOpenRun(last.run) ? last.run.id : null;
  const key = conversationId === null ? null : chatQueries.runs(conversationId).queryKey;

  const onEvent = useEffectEvent((runId: string, name: string, data: unknown) => {
    if (!key) return;
    setReply((before) => nextReply(before, runId, name, data));
    if (name === "message.added" && isMessage(data)) client.setQueryData(key, (pages) => withMessage(pages, data));
    if ((name === "run.updated" || name === "run.finished") && isRun(data)) {
      client.setQueryData(key, (pages) => withRun(pages, data));
      if (name === "run.finished") setReply(null);
      if (name === "run.finished" || data.status !== last?.run.status) {
        void client.invalidateQueries({ queryKey: [...chatQueries.all(), "list"] });
      }
    }
  });
  useEffect(() => {
    if (openId === null) return;
    const stop = listenToEvents(endpointAddress(runEndpoints.events, { params: { id: openId } }), runEventNames, {
      onOpen: () => {
        setIsCut(false);
        // A new connection sends the reply from its beginning.
        setReply(null);
      },
      onCut: () => setIsCut(true),
      onEvent: ({ name, data }) => onEvent(openId, name, data),
    });
    return () => {
      stop();
      setIsCut(false);
      setReply(null);
    };
  }, [openId]);

  const state = openId === null ? "idle" : isCut ? "cut" : "streaming";
  const polled = useQuery({
    ...chatQueries.lastRun(conversationId ?? ""),
    enabled: conversationId !== null && last !== null,
    refetchInterval: pollMs[state],
    refetchIntervalInBackground: openId !== null,
  });
  useEffect(() => {
    if (conversationId === null) return;
    return onChatNews((changed) => {
      if (changed === conversationId) void client.invalidateQueries({ queryKey: chatQueries.lastRun(conversationId).queryKey });
    });
  }, [client, conversationId]);

  const merged = useRef<ChatRun | null>(null);
  const merge = useEffectEvent((found: ChatRun) => {
    if (!key || merged.current === found) return;
    merged.current = found;
    const pages = client.getQueryData(key);
    const isKnown = pages?.pages.some(({ items }) => items.some(({ run }) => run.id === found.run.id));
    // A new run may have replaced others, so all of them are read again.
    if (!isKnown) void client.invalidateQueries({ queryKey: key });
    // An older answer of the poll must not undo an end that the stream told.
    else if (isOpenRun(found.run) && last?.run.id === found.run.id && !isOpenRun(last.run)) return;
    else client.setQueryData(key, (before) => withRun(before, found.run, found.messages));
  });
  const { data: found } = polled;
  useEffect(() => {
    if (found) merge(found);
  }, [found]);
  return reply;
}

const isMessage = (data: unknown): data is RunMessage =>
  isJsonObject(data) && typeof data.position === "number" && typeof data.runId === "string" && Array.isArray(data.toolCalls);
const isRun = (data: unknown): data is Run => isJsonObject(data) && typeof data.id === "string" && typeof data.status === "string";

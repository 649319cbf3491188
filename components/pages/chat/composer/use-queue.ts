"use client";

import { useEffect, useEffectEvent, useState } from "react";
import type { RunStatus } from "@/contracts/runs/runs";
import { keepQueued, type QueuedMessage, readQueued } from "./queued-message";

/** Ends of a run after which a queued message is sent by itself. */
const sentAfter: ReadonlySet<RunStatus> = new Set(["succeeded", "limited"]);

/** A message that is sent when the run of the conversation ends. It stays in this tab, also across a reload. */
export function useQueue(conversationId: string | null, status: RunStatus | null, send: (queued: QueuedMessage) => void) {
  const [queued, setQueued] = useState<QueuedMessage | null>(null);
  useEffect(() => setQueued(conversationId === null ? null : readQueued(conversationId)), [conversationId]);
  const change = (next: QueuedMessage | null) => {
    if (conversationId !== null) keepQueued(conversationId, next);
    setQueued(next);
  };
  const isDue = queued !== null && status !== null && sentAfter.has(status);
  const sendDue = useEffectEvent(() => {
    if (queued) send(queued);
  });
  useEffect(() => {
    if (isDue) sendDue();
  }, [isDue]);
  return { queued, change };
}

"use client";

import { useState } from "react";
import type { Agent } from "@/contracts/agents/agents";
import type { RunStatus } from "@/contracts/runs/runs";
import { useSendMessage } from "../use-chat-actions";
import type { useConversation } from "../use-conversation";
import { keepDraft, readDraft, typedSince } from "./drafts";
import type { QueuedMessage } from "./queued-message";
import { randomKey } from "./random-key";
import { useFiles } from "./use-files";
import { useQueue } from "./use-queue";

type Message = { text: string; attachments: readonly string[] };

type WritingProps = {
  /** Id of the open conversation; null for a new one. */
  chosen: string | null;
  agent: Agent;
  conversation: ReturnType<typeof useConversation>;
  /** Status of the last run; null when there is none. */
  status: RunStatus | null;
  isWorking: boolean;
  onStarted: (conversationId: string) => void;
};

/** The next message: its draft, its files and the message that waits, and the requests that send them. */
export function useWriting({ chosen, agent, conversation, status, isWorking, onStarted }: WritingProps) {
  const place = chosen ?? `new:${agent.id}`;
  const [text, setText] = useState(() => readDraft(place));
  const type = (typed: string) => {
    keepDraft(place, typed);
    setText(typed);
  };
  const files = useFiles(conversation.require);
  const sending = useSendMessage((id) => {
    if (id === chosen) return;
    conversation.forget();
    onStarted(id);
  });
  const target = { agentId: agent.id, conversationId: conversation.conversationId };
  const { queued, change } = useQueue(chosen, status, (message) => sendQueued(message));
  const sendQueued = ({ text, attachments, key }: QueuedMessage) =>
    sending.mutate({ ...target, text, attachments, key }, { onSuccess: () => change(null) });

  const enqueue = ({ text, attachments }: Message) => {
    // A second message joins the first, so that one run answers both.
    const texts = [queued?.text, text].filter((part) => part !== undefined);
    change({ text: texts.join("\n\n"), attachments: [...(queued?.attachments ?? []), ...attachments], key: randomKey() });
    type("");
    files.clear();
  };
  const submit = () => {
    const message = { text: text.trim(), attachments: files.paths };
    if (isWorking) return enqueue(message);
    sending.mutate(
      { ...target, ...message },
      {
        onSuccess: (run) => {
          const rest = typedSince(text, readDraft(place));
          type("");
          keepDraft(run.conversationId, rest);
          setText(rest);
          for (const { key } of files.files) files.remove(key);
        },
      },
    );
  };
  return {
    text,
    type,
    files,
    submit,
    /** Sends a message in place of an earlier run's. */
    send: (message: Message & { replaces: string }) => sending.mutate({ ...target, ...message }),
    isPending: sending.isPending,
    /** Id of the run whose message is sent anew; null for a new message. */
    replacing: (sending.isPending && sending.variables.replaces) || null,
    error: sending.error,
    queue: {
      queued,
      send: () => queued && sendQueued(queued),
      edit: () => {
        if (!queued) return;
        type([queued.text, text].filter((part) => part !== "").join("\n\n"));
        change(null);
      },
      cancel: () => change(null),
    },
  };
}

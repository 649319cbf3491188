"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { turnQueries } from "@/components/nouns/turns/queries";
import { conversationEndpoints } from "@/contracts/browser/conversations/conversations";
import { runEndpoints } from "@/contracts/browser/runs/runs";
import { withRun } from "./chat-cache";
import { randomKey } from "./composer/random-key";
import { chatQueries } from "./queries";
import { tellChatNews } from "./tab-news";

export type Sending = {
  agentId: string;
  conversationId: string | null;
  text: string;
  attachments: readonly string[];
  /** The run whose message is sent again. */
  replaces?: string;
  key?: string;
};

/** Starts a run with a message. The conversation shows it at once, and other tabs are told. */
export function useSendMessage(onStarted: (conversationId: string) => void) {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: ({ agentId, conversationId, text, attachments, replaces, key }: Sending) =>
      call(
        runEndpoints.start,
        {
          params: { id: agentId },
          body: {
            message: text,
            ...(conversationId ? { conversationId } : {}),
            ...(attachments.length > 0 ? { attachments: [...attachments] } : {}),
            ...(replaces ? { replaces } : {}),
          },
        },
        { idempotencyKey: key ?? randomKey() },
      ),
    onSuccess: async (run, { replaces }) => {
      const { queryKey } = chatQueries.runs(run.conversationId);
      if (replaces) await client.invalidateQueries({ queryKey });
      else client.setQueryData(queryKey, (pages) => withRun(pages, run));
      tellChatNews(run.conversationId);
      onStarted(run.conversationId);
      void client.invalidateQueries({ queryKey: [...chatQueries.all(), "list"] });
    },
  });
}

/** Stops a run. */
export function useStopRun() {
  const client = useQueryClient();
  return useMutation({
    meta: { showsError: true },
    mutationFn: (runId: string) => call(runEndpoints.cancel, { params: { id: runId } }),
    onSuccess: (run) => {
      const { queryKey } = chatQueries.runs(run.conversationId);
      client.setQueryData(queryKey, (pages) => withRun(pages, run));
      return Promise.all([
        client.invalidateQueries({ queryKey }),
        client.invalidateQueries({ queryKey: turnQueries.all() }),
        client.invalidateQueries({ queryKey: [...chatQueries.all(), "list"] }),
      ]);
    },
  });
}

/** Opens a conversation of an agent before its first message, for files and the listing of tools. */
export async function openConversation(agent: string): Promise<string> {
  return (await call(conversationEndpoints.create, { body: { agent } })).id;
}

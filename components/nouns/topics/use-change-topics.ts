"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type TopicDraft, type TopicWatchDraft, topicEndpoints } from "@/contracts/browser/agents/topics";
import { topicQueries } from "./queries";

/** Changes topics, messages and watches, and reads them again. */
export function useChangeTopics() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: topicQueries.all() });
  const onSettled = refresh;
  const shown = { meta: { showsError: true }, onSettled };
  return {
    refresh,
    create: useMutation({ ...shown, mutationFn: (body: TopicDraft) => call(topicEndpoints.create, { body }) }),
    send: useMutation({
      ...shown,
      mutationFn: ({ id, text }: { id: string; text: string }) => call(topicEndpoints.send, { params: { id }, body: { text } }),
    }),
    watch: useMutation({
      ...shown,
      mutationFn: ({ id, ...body }: TopicWatchDraft & { id: string }) => call(topicEndpoints.createWatch, { params: { id }, body }),
    }),
    switchWatch: useMutation({
      onSettled,
      mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) =>
        call(topicEndpoints.switchWatch, { params: { id }, body: { enabled } }),
    }),
    removeWatch: useMutation({ onSettled, mutationFn: (id: string) => call(topicEndpoints.removeWatch, { params: { id } }) }),
  };
}

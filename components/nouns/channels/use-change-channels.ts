"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { type ChannelDraft, type ChannelWatchDraft, channelEndpoints } from "@/contracts/browser/channels";
import { channelQueries } from "./queries";

/** Changes channels, messages and watches, and reads them again. */
export function useChangeChannels() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: channelQueries.all() });
  const onSettled = refresh;
  const shown = { meta: { showsError: true }, onSettled };
  return {
    refresh,
    create: useMutation({ ...shown, mutationFn: (body: ChannelDraft) => call(channelEndpoints.create, { body }) }),
    send: useMutation({
      ...shown,
      mutationFn: ({ id, text }: { id: string; text: string }) => call(channelEndpoints.send, { params: { id }, body: { text } }),
    }),
    watch: useMutation({
      ...shown,
      mutationFn: ({ id, ...body }: ChannelWatchDraft & { id: string }) => call(channelEndpoints.createWatch, { params: { id }, body }),
    }),
    switchWatch: useMutation({
      onSettled,
      mutationFn: ({ id, enabled }: { id: string; enabled: boolean }) =>
        call(channelEndpoints.switchWatch, { params: { id }, body: { enabled } }),
    }),
    removeWatch: useMutation({ onSettled, mutationFn: (id: string) => call(channelEndpoints.removeWatch, { params: { id } }) }),
  };
}

import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { defineResource } from "@/components/kit/resources/define-resource";
import { type Messenger, type MessengerDraft, messengerEndpoints } from "@/contracts/browser/messengers/messengers";

/** States change without anybody pressing a button. */
const lookMs = 5_000;

export const messengerResource = defineResource({
  key: "messengers",
  noun: "messenger",
  endpoints: messengerEndpoints,
  isPaged: true,
  pollMs: () => lookMs,
  toDraft,
});

/** The draft that changes nothing: the secrets stay. */
export function toDraft(messenger: Messenger): MessengerDraft {
  const { name, platform, transport, agentId, settings, writers, needsMention, doneSign, streams } = messenger;
  const { joinSeconds, approvals, speechModel, enabled } = messenger;
  return {
    name,
    platform,
    transport,
    agentId,
    settings,
    secrets: {},
    writers,
    needsMention,
    doneSign,
    streams,
    joinSeconds,
    approvals,
    speechModel,
    enabled,
  };
}

export const messengerQueries = {
  chats: (id: string) =>
    queryOptions({
      queryKey: [...messengerResource.all(), "chats", id],
      queryFn: ({ signal }) => call(messengerEndpoints.listChats, { params: { id }, query: { limit: 20 } }, { signal }),
      refetchInterval: lookMs,
    }),

  parts: (id: string) =>
    queryOptions({
      queryKey: [...messengerResource.all(), "parts", id],
      queryFn: ({ signal }) => call(messengerEndpoints.listParts, { params: { id }, query: { limit: 20 } }, { signal }),
      refetchInterval: lookMs,
    }),
};

"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type Webhook, type WebhookDelivery, webhookEndpoints } from "@/contracts/browser/webhooks";
import { webhookQueries } from "./queries";

/** Switches a webhook on or off. The page shows the change at once and reverts it after a refusal. */
export function useSwitchWebhook() {
  const client = useQueryClient();
  const { queryKey } = webhookQueries.list();
  const show = (changed: Webhook) =>
    client.setQueryData(
      queryKey,
      (list) => list && { ...list, items: list.items.map((webhook) => (webhook.id === changed.id ? changed : webhook)) },
    );
  return useMutation({
    scope: { id: "webhooks" },
    mutationFn: ({ webhook: { id, name, url, events }, enabled }: { webhook: Webhook; enabled: boolean }) =>
      call(webhookEndpoints.update, { params: { id }, body: { name, url, events, enabled } }),
    onMutate: async ({ webhook, enabled }) => {
      await client.cancelQueries({ queryKey });
      show({ ...webhook, enabled });
    },
    onError: (_error, { webhook }) => show(webhook),
    onSuccess: show,
    onSettled: () => client.invalidateQueries({ queryKey: webhookQueries.all() }),
  });
}

/** Sends a test event and returns the delivery's result. */
export function useTestWebhook() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (webhook: Webhook) => call(webhookEndpoints.test, { params: { id: webhook.id } }),
    onSettled: () => client.invalidateQueries({ queryKey: webhookQueries.all() }),
  });
}

/** Sends a delivery again under its own id. */
export function useRedeliver() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: WebhookDelivery) => call(webhookEndpoints.redeliver, { params: { id } }),
    onSuccess: () => notifications.show({ message: "The delivery is sent again, under the same id" }),
    onSettled: () => client.invalidateQueries({ queryKey: webhookQueries.all() }),
  });
}

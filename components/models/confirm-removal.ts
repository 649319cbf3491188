"use client";

import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { confirmAction } from "@/components/ui/confirm-action";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { type ModelProvider, modelEndpoints } from "@/contracts/browser/models";
import { modelQueries } from "./queries";

/** Asks, then removes a provider and its key. */
export function confirmRemoval(provider: ModelProvider, client: QueryClient) {
  confirmAction({
    title: `Remove ${provider.name}`,
    children: "Its key is deleted. Agents that use its models go on with the next provider.",
    action: "Remove provider",
    onConfirm: async () => {
      await call(modelEndpoints.remove, { params: { id: provider.id } }, { version: provider.version });
      notifications.show({ message: spellHidden(`${provider.name} is removed`) });
      await client.invalidateQueries({ queryKey: modelQueries.all() });
    },
  });
}

"use client";

import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { confirmAction } from "@/components/ui/confirm-action";
import { spellHidden } from "@/components/ui/reveal-hidden";
import { type Hook, hookEndpoints } from "@/contracts/browser/hooks";
import { hookQueries } from "./queries";

/** Asks, then removes a hook. */
export function confirmRemoval(hook: Hook, client: QueryClient, onRemoved: () => void) {
  confirmAction({
    title: `Remove ${hook.name}`,
    children: "The hook stops with the next call. Its runs stay listed.",
    action: "Remove hook",
    onConfirm: async () => {
      await call(hookEndpoints.remove, { params: { id: hook.id } }, { version: hook.version });
      onRemoved();
      notifications.show({ message: spellHidden(`${hook.name} is removed`) });
      await client.invalidateQueries({ queryKey: hookQueries.all() });
    },
  });
}

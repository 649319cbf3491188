"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Resource, ResourceRow } from "./define-resource";
import { orderMutation, switchMutation } from "./resource-mutations";

/** Changes rows of a resource. The page shows a switch and an order at once, and reverts them after a refusal. */
export function useResource<Row extends ResourceRow, Draft extends object, Created>(resource: Resource<Row, Draft, Created>) {
  const client = useQueryClient();
  const { mutate: mutateSwitch } = useMutation(switchMutation(client, resource));
  const { mutate: order } = useMutation(orderMutation(client, resource));
  const refresh = () => client.invalidateQueries({ queryKey: resource.all() });
  return {
    refresh,
    order,
    switchEnabled: (row: Row, enabled: boolean) => mutateSwitch({ row, enabled }),
    /** Saves a changed or, for null, a new row, and reads the list again. @throws ApiProblem */
    save: async (row: ResourceRow | null, draft: Draft): Promise<Row | Created> => {
      const saved = await (row ? resource.update(row, draft) : resource.create(draft));
      await refresh();
      return saved;
    },
    /** Asks, then removes a row; `loss` names what is lost with it. */
    confirmRemoval: async (row: Row, loss: ReactNode, onRemoved?: () => void) => {
      // Loaded by the first removal, because most visits remove nothing.
      const loaded = await import("./confirm-removal").catch(() => null);
      if (!loaded) {
        notifications.show({ message: "The dialog could not be loaded. Check the connection and reload the page.", color: "red" });
        return;
      }
      loaded.confirmRemoval({
        ...{ name: row.name, noun: resource.noun, loss, refresh },
        ...(onRemoved ? { onRemoved } : {}),
        remove: () => resource.remove(row),
      });
    },
  };
}

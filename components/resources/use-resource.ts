"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { confirmRemoval } from "./confirm-removal";
import type { Resource, ResourceRow } from "./define-resource";

/** Changes rows of a resource. The page shows a switch and an order at once, and reverts them after a refusal. */
export function useResource<Row extends ResourceRow, Draft extends object, Created>(resource: Resource<Row, Draft, Created>) {
  const client = useQueryClient();
  const { queryKey } = resource.list();
  const refresh = () => client.invalidateQueries({ queryKey: resource.all() });
  const show = (changed: Row) =>
    client.setQueryData(queryKey, (list) => list && { ...list, items: list.items.map((row) => (row.id === changed.id ? changed : row)) });
  // Changes run one after the other, because each needs the version that the previous one created.
  const queued = { scope: { id: queryKey.join(" ") }, onSettled: refresh };

  const { mutate: mutateSwitch } = useMutation({
    ...queued,
    mutationFn: async ({ row, enabled }: { row: Row; enabled: boolean }) => {
      const shown = client.getQueryData(queryKey)?.items.find(({ id }) => id === row.id) ?? row;
      return resource.update(shown, { ...(await resource.toDraft(shown)), enabled });
    },
    onMutate: async ({ row, enabled }) => {
      await client.cancelQueries({ queryKey });
      show({ ...row, enabled });
    },
    onError: (_error, { row }) => show(row),
    onSuccess: show,
  });

  const { mutate: order } = useMutation({
    ...queued,
    mutationFn: (rows: readonly Row[]) => resource.order(rows),
    onMutate: async (rows) => {
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, { items: [...rows], nextCursor: null });
      return { before };
    },
    onError: (_error, _rows, saved) => client.setQueryData(queryKey, saved?.before),
    onSuccess: (page) => client.setQueryData(queryKey, page),
  });

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
    confirmRemoval: (row: Row, loss: ReactNode, onRemoved: () => void = () => {}) =>
      confirmRemoval({
        ...{ name: row.name, noun: resource.noun, loss, onRemoved },
        remove: () => resource.remove(row),
        refresh,
      }),
  };
}

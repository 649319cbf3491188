import { mutationOptions, type QueryClient } from "@tanstack/react-query";
import type { Resource, ResourceRow } from "./define-resource";
import { replaceRow } from "./replace-row";

/** Changes run one after the other, because each needs the version that the previous one created. */
const queued = <Row extends ResourceRow, Draft, Created>(client: QueryClient, resource: Resource<Row, Draft, Created>) => ({
  scope: { id: resource.all()[0] },
  onSettled: () => client.invalidateQueries({ queryKey: resource.all() }),
});

/** Switches a row on or off. The list shows it at once and reverts it after a refusal. */
export function switchMutation<Row extends ResourceRow, Draft extends object, Created>(
  client: QueryClient,
  resource: Resource<Row, Draft, Created>,
) {
  const { queryKey } = resource.list();
  const show = (changed: Row) => client.setQueryData(queryKey, (list) => list && { ...list, items: replaceRow(list.items, changed) });
  return mutationOptions({
    ...queued(client, resource),
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
}

/** Stores an order of all rows. The list shows it at once and reverts it after a refusal. */
export function orderMutation<Row extends ResourceRow, Draft, Created>(client: QueryClient, resource: Resource<Row, Draft, Created>) {
  const { queryKey } = resource.list();
  return mutationOptions({
    ...queued(client, resource),
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
}

"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { type DataSource, dataSourceEndpoints } from "@/contracts/browser/data-sources";
import { dataSourceQueries } from "./queries";

/** Switches a data source on or off. The page shows the change at once and reverts it after a refusal. */
export function useSwitchDataSource() {
  const client = useQueryClient();
  const { queryKey } = dataSourceQueries.list();
  const show = (changed: DataSource) =>
    client.setQueryData(
      queryKey,
      (list) => list && { ...list, items: list.items.map((source) => (source.id === changed.id ? changed : source)) },
    );
  return useMutation({
    scope: { id: "data-sources" },
    mutationFn: ({ source, enabled }: { source: DataSource; enabled: boolean }) => {
      const { name, kind, description, host, port, database, username, sslMode, file } = source;
      const body = { name, kind, description, host, port, database, username, sslMode, file, enabled };
      return call(dataSourceEndpoints.update, { params: { id: source.id }, body });
    },
    onMutate: async ({ source, enabled }) => {
      await client.cancelQueries({ queryKey });
      show({ ...source, enabled });
    },
    onError: (_error, { source }) => show(source),
    onSuccess: show,
    onSettled: () => client.invalidateQueries({ queryKey: dataSourceQueries.all() }),
  });
}

/** Connects to a data source and returns what came of it. */
export function useTestDataSource() {
  return useMutation({
    mutationFn: ({ id }: DataSource) => call(dataSourceEndpoints.test, { params: { id } }),
  });
}

"use client";

import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { replaceRow } from "@/components/kit/resources/replace-row";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type McpServer, mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";
import type { McpCure } from "@/contracts/mcp/mcp-servers";
import type { ToolTier } from "@/contracts/tools/tools";
import { applyCure } from "./apply-cure";
import { serverQueries } from "./queries";

type Change = { server: McpServer; enabled: boolean } | { server: McpServer; tier: ToolTier };

/** Switches a server, or changes the tier of its tools. The page shows the change at once and reverts it after a refusal. */
export function useChangeServer() {
  const client = useQueryClient();
  const { queryKey } = serverQueries.list();
  const show = (changed: McpServer) => client.setQueryData(queryKey, (list) => list && { ...list, items: replaceRow(list.items, changed) });
  return useMutation({
    scope: { id: "mcp-servers" },
    mutationFn: (change: Change) =>
      "tier" in change
        ? call(mcpServerEndpoints.setTier, { params: { id: change.server.id }, body: { tier: change.tier } })
        : call(mcpServerEndpoints.patch, { params: { id: change.server.id }, body: { enabled: change.enabled } }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey });
      if ("tier" in change) show({ ...change.server, tier: change.tier });
      else show({ ...change.server, enabled: change.enabled, status: change.enabled ? "connecting" : "disabled" });
    },
    onError: (_error, { server }) => show(server),
    onSuccess: show,
    onSettled: () => readAgain(client),
  });
}

/** Allows a server's program what the sandbox kept from it; the server connects again under the new settings. */
export function useAllowCure() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ server, cure }: { server: McpServer; cure: McpCure }) =>
      call(mcpServerEndpoints.patch, { params: { id: server.id }, body: applyCure(server, cure) }, { version: server.version }),
    onSuccess: (saved) => notifications.show({ message: `${saved.alias} saved. Connecting…` }),
    onSettled: () => readAgain(client),
  });
}

/** Closes the connection of a server and opens another. */
export function useReconnect() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (server: McpServer) => call(mcpServerEndpoints.reconnect, { params: { id: server.id } }),
    onSuccess: (result, server) =>
      notifications.show(
        result.ok
          ? { message: `${server.alias} connected · ${result.tools.length} ${result.tools.length === 1 ? "tool" : "tools"}` }
          : { title: `${server.alias} did not connect`, message: result.error ?? "No reason given.", color: "red", autoClose: 12_000 },
      ),
    onSettled: () => readAgain(client),
  });
}

/** Refetches all data that a change of a server affects. */
export function readAgain(client: ReturnType<typeof useQueryClient>) {
  return Promise.all([
    client.invalidateQueries({ queryKey: serverQueries.all() }),
    client.invalidateQueries({ queryKey: toolQueries.all() }),
  ]);
}

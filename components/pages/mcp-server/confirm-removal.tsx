"use client";

import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { type McpServer, mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";

/** Asks for the alias, then removes a server with its tools. */
export function confirmRemoval(server: McpServer, client: QueryClient, onRemoved: () => void) {
  confirmAction({
    title: `Remove ${server.alias}`,
    children: (
      <>
        Its {server.toolCount} {server.toolCount === 1 ? "tool disappears" : "tools disappear"} from every agent. Guard rules that name{" "}
        <CodeText>{server.alias}__*</CodeText> stay and match nothing. Its secrets are deleted.
      </>
    ),
    action: "Remove server",
    word: server.alias,
    onConfirm: async () => {
      await call(mcpServerEndpoints.remove, { params: { id: server.id } });
      onRemoved();
      notifications.show({ message: `${server.alias} removed` });
      await readAgain(client);
    },
  });
}

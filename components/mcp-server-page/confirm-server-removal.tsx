"use client";

import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/api/call";
import { readAgain } from "@/components/mcp-servers/use-change-server";
import { confirmRemoval } from "@/components/resources/confirm-removal";
import { CodeText } from "@/components/ui/code-text";
import { type McpServer, mcpServerEndpoints } from "@/contracts/browser/mcp-servers";

/** Asks for the alias, then removes a server with its tools. */
export function confirmServerRemoval({ id, alias, toolCount }: McpServer, client: QueryClient, onRemoved: () => void) {
  confirmRemoval({
    ...{ name: alias, noun: "server", word: alias, onRemoved },
    loss: (
      <>
        Its {toolCount} {toolCount === 1 ? "tool disappears" : "tools disappear"} from every agent. Guard rules that name{" "}
        <CodeText>{alias}__*</CodeText> stay and match nothing. Its secrets are deleted.
      </>
    ),
    remove: () => call(mcpServerEndpoints.remove, { params: { id } }),
    refresh: () => readAgain(client),
  });
}

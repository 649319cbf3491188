"use client";

import { useQuery } from "@tanstack/react-query";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { toolChangeQueries } from "@/components/nouns/tool-changes/queries";
import { ToolChangeCard } from "@/components/nouns/tool-changes/tool-change-card";
import type { McpServer } from "@/contracts/mcp/mcp-servers";

/** The accepted instructions of a server, and the change that waits or was rejected. */
export function ServerInstructions({ server }: { server: McpServer }) {
  const { data, error, refetch, isRefetching } = useQuery(toolChangeQueries.ofInstructions(server.id));
  const current = data?.items.find(({ isCurrent }) => isCurrent);
  return (
    <>
      <p className={shared.hint}>
        {server.instructions
          ? "Text of the server. Agents that may use a tool of it read this in their prompt, marked as the server's."
          : "This server has no accepted instructions."}
      </p>
      {server.instructions ? <CodeBlock label="Instructions" text={server.instructions} maxLines={24} /> : null}
      {error && !data ? (
        <ErrorState error={error} what="the change of the instructions" retry={() => void refetch()} retrying={isRefetching} />
      ) : null}
      {current ? <ToolChangeCard change={current} /> : null}
    </>
  );
}

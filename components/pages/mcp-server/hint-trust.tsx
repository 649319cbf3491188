"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { hintSentence } from "@/components/nouns/mcp-servers/hint-sentence";
import { readAgain } from "@/components/nouns/mcp-servers/use-change-server";
import { type McpServer, mcpServerEndpoints } from "@/contracts/browser/mcp/mcp-servers";
import type { HintCounts } from "@/contracts/mcp/server-pins";

/** Asks whether a server's hints count, with what they would let through. */
export function HintTrust({ server, hints }: { server: McpServer; hints: HintCounts }) {
  const client = useQueryClient();
  const refusal = useRefusal("mcp:write");
  const change = useMutation({
    mutationFn: (trustHints: boolean) => call(mcpServerEndpoints.patch, { params: { id: server.id }, body: { trustHints } }),
    onSettled: () => readAgain(client),
  });
  if (hints.readOnly === 0 && !server.trustHints) return null;
  return (
    <div className={shared.bar}>
      <p className={shared.hint}>{server.trustHints ? "Its hints are trusted." : `Its hints are not trusted. ${hintSentence(hints)}`}</p>
      <RefusableButton
        refusal={refusal}
        variant="default"
        size="compact-sm"
        loading={change.isPending}
        onClick={() => change.mutate(!server.trustHints)}
      >
        {server.trustHints ? "Stop trusting hints" : "Trust hints"}
      </RefusableButton>
    </div>
  );
}

import { useChangeServer } from "@/components/nouns/mcp-servers/use-change-server";
import { TierToggle } from "@/components/nouns/tools/tier-toggle";
import type { McpServer } from "@/contracts/mcp/mcp-servers";

/** The tier of a server's tools, which a press changes. */
export function ServerTier({ server, refusal }: { server: McpServer; refusal: string | null }) {
  const change = useChangeServer();
  return (
    <TierToggle
      of={`the tools of ${server.alias}`}
      tier={server.tier}
      lockedReason={refusal}
      onChange={(tier) => change.mutate({ server, tier })}
    />
  );
}

"use client";

import { notifications } from "@mantine/notifications";
import type { QueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { apiKeyQueries } from "@/components/nouns/api-keys/queries";
import { type Agent, agentEndpoints } from "@/contracts/browser/agents/agents";
import { agentQueries } from "./queries";

/** Asks for the name, then removes an agent with its conversations and keys. */
export function confirmRemoval(agent: Agent, client: QueryClient, onRemoved: () => void) {
  confirmAction({
    title: `Delete ${agent.name}`,
    children: "The agent's conversations, turns, files and API keys are deleted. Programs with these keys are refused. The audit stays.",
    action: "Delete agent",
    word: agent.name,
    onConfirm: async () => {
      await call(agentEndpoints.remove, { params: { id: agent.id } });
      onRemoved();
      notifications.show({ message: spellHidden(`${agent.name} deleted`) });
      await Promise.all([
        client.invalidateQueries({ queryKey: agentQueries.list().queryKey }),
        client.invalidateQueries({ queryKey: apiKeyQueries.list().queryKey }),
      ]);
    },
  });
}

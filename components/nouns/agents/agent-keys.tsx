"use client";

import { Button } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import rows from "@/components/kit/ui/lists/rows.module.css";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { ApiKeyRow } from "@/components/nouns/api-keys/api-key-row";
import { CreateApiKey } from "@/components/nouns/api-keys/create-api-key";
import { apiKeyQueries } from "@/components/nouns/api-keys/queries";
import { ConnectClientCard } from "@/components/nouns/mcp-clients/connect-client-card";
import type { Agent } from "@/contracts/agents/agents";
import classes from "./agents.module.css";

/** The API keys that are bound to the agent, and how an MCP client uses one. */
export function AgentKeys({ agent }: { agent: Agent }) {
  const refusal = useRefusal("admin");
  const [isCreating, setIsCreating] = useState(false);
  const keys = useQuery({ ...apiKeyQueries.list(), enabled: refusal === null });
  const own = keys.data?.items.filter(({ agentId }) => agentId === agent.id) ?? [];
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsCreating(true)}>
      Create key
    </Button>
  );
  return (
    <div className={classes.panel}>
      {refusal !== null ? (
        <AdminsOnly what="API keys" reason={refusal} />
      ) : (
        <Loaded query={keys} what="the API keys" rows={2} height={3.75}>
          {() =>
            own.length === 0 ? (
              <EmptyState icon={IconKey} title="No keys yet" action={add}>
                {agent.isDefault
                  ? "A key sees the tools and conversations of its agent only. Keys without an agent use the default agent."
                  : "A key sees the tools and conversations of its agent only."}
              </EmptyState>
            ) : (
              <>
                <div className={shared.bar}>{add}</div>
                <ul className={rows.rows}>
                  {own.map((key) => (
                    <ApiKeyRow key={key.id} apiKey={key} agent={null} />
                  ))}
                </ul>
              </>
            )
          }
        </Loaded>
      )}
      <ConnectClientCard agent={agent.name} />
      <CreateApiKey opened={isCreating} onClose={() => setIsCreating(false)} agents={[agent]} agentId={agent.id} />
    </div>
  );
}

"use client";

import { Button } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiKeyRow } from "@/components/api-keys/api-key-row";
import { CreateApiKey } from "@/components/api-keys/create-api-key";
import { apiKeyQueries } from "@/components/api-keys/queries";
import { ConnectClientCard } from "@/components/mcp-clients/connect-client-card";
import { useRefusal } from "@/components/session/me";
import { AdminsOnly } from "@/components/settings-frame/admins-only";
import { EmptyState } from "@/components/ui/empty-state";
import { Loaded } from "@/components/ui/loaded";
import rows from "@/components/ui/rows.module.css";
import type { Agent } from "@/contracts/agents";
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
                <div className={classes.buttons}>{add}</div>
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

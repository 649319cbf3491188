"use client";

import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { AdminsOnly } from "@/components/kit/settings-frame/admins-only";
import { Section } from "@/components/kit/settings-frame/section";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import rows from "@/components/kit/ui/lists/rows.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { agentQueries } from "@/components/nouns/agents/queries";
import { ApiKeyRow } from "@/components/nouns/api-keys/api-key-row";
import { CreateApiKey } from "@/components/nouns/api-keys/create-api-key";
import { apiKeyQueries } from "@/components/nouns/api-keys/queries";

/** The API keys of the workspace. */
export function ApiKeysSection() {
  const refusal = useRefusal("admin");
  const [creating, setCreating] = useState(false);
  const keys = useQuery({ ...apiKeyQueries.list(), enabled: refusal === null });
  const agents = useQuery(agentQueries.list());
  const agentName = (id: string | null) => agents.data?.items.find((agent) => agent.id === id)?.name ?? null;

  const add = (
    <RefusableButton refusal={refusal} leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      Create key
    </RefusableButton>
  );
  return (
    <Section
      id="api-keys"
      title="API keys"
      description="Credentials for agents and scripts. A key is shown once and stored as a hash."
      action={keys.data?.items.length === 0 ? null : add}
    >
      {refusal !== null ? (
        <AdminsOnly what="API keys" reason={refusal} />
      ) : (
        <Loaded query={keys} what="the API keys" rows={3} height={3.75}>
          {(data) =>
            data.items.length === 0 ? (
              <EmptyState icon={IconKey} title="No API keys yet" action={add}>
                An agent runtime needs a key to submit tool calls. Create a key and paste it into the runtime's configuration.
              </EmptyState>
            ) : (
              <ul className={rows.rows}>
                {data.items.map((key) => (
                  <ApiKeyRow key={key.id} apiKey={key} agent={agentName(key.agentId)} />
                ))}
              </ul>
            )
          }
        </Loaded>
      )}
      <CreateApiKey opened={creating} onClose={() => setCreating(false)} agents={agents.data?.items ?? []} />
    </Section>
  );
}

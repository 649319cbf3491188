"use client";

import { Tabs } from "@mantine/core";
import { IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { useMe, useRefusal } from "@/components/kit/session/me";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { apiKeyQueries } from "@/components/nouns/api-keys/queries";
import { agentSnippets, keyPlaceholder } from "@/components/nouns/mcp-clients/agent-snippets";
import { ConnectClient } from "@/components/nouns/mcp-clients/connect-client";
import { identityEndpoints } from "@/contracts/browser/identity/identity";
import type { Permission } from "@/contracts/permissions";
import classes from "./connect-agent.module.css";

const runtimeScopes: Permission[] = ["turns:write", "tools:read"];

/** Programs that connect an agent, with this server's address and a new API key. */
export function ConnectAgent({ publicUrl }: { publicUrl: string }) {
  const client = useQueryClient();
  const me = useMe();
  const refusal = useRefusal("admin");
  const create = useMutation({
    mutationFn: () =>
      call(identityEndpoints.createApiKey, { body: { name: `Agent of ${me.actor.name}`.slice(0, 100), scopes: runtimeScopes } }),
    meta: { showsError: true },
    onSuccess: () => client.invalidateQueries({ queryKey: apiKeyQueries.list().queryKey }),
  });
  const key = create.data?.key ?? null;
  const snippets = agentSnippets({ url: publicUrl, key: key ?? keyPlaceholder });
  return (
    <div className={shared.stack}>
      <div className={shared.bar}>
        {key ? (
          <p className={shared.note} role="status">
            Key created and put into the code below. It is shown once: copy the code now.
          </p>
        ) : (
          <>
            <RefusableButton
              refusal={refusal}
              leftSection={<IconKey size={16} aria-hidden />}
              loading={create.isPending}
              onClick={() => create.mutate()}
            >
              Create a key
            </RefusableButton>
            <p className={shared.note}>Or use the agent key that the first start printed.</p>
          </>
        )}
      </div>
      {create.isError ? (
        <p className={shared.errorText} role="alert">
          {toErrorSentence(create.error)}
        </p>
      ) : null}
      <Tabs defaultValue={snippets[0]?.id ?? null} keepMounted={false}>
        <Tabs.List aria-label="Library">
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
          <Tabs.Tab value="mcp-client">MCP client</Tabs.Tab>
        </Tabs.List>
        {snippets.map(({ id, install, file, code }) => (
          <Tabs.Panel key={id} value={id} className={classes.panel}>
            {install ? <CodeBlock label="Install" text={install} /> : null}
            <CodeBlock label={file ?? "Shell"} text={code} nowrap maxLines={28} />
          </Tabs.Panel>
        ))}
        <Tabs.Panel value="mcp-client" className={classes.panel}>
          <ConnectClient url={publicUrl} apiKey={key ?? keyPlaceholder} />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}

"use client";

import { Tabs } from "@mantine/core";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { clientConfigs } from "./client-configs";
import classes from "./connect-client.module.css";

/** Configurations that connect an MCP client to this server; `apiKey` is a key or its placeholder. */
export function ConnectClient({ url, apiKey }: { url: string; apiKey: string }) {
  const configs = clientConfigs({ url, key: apiKey });
  return (
    <Tabs defaultValue={configs[0]?.id ?? null} keepMounted={false} variant="pills">
      <Tabs.List aria-label="MCP client">
        {configs.map(({ id, label }) => (
          <Tabs.Tab key={id} value={id}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {configs.map(({ id, place, code }) => (
        <Tabs.Panel key={id} value={id} className={classes.panel}>
          <CodeBlock label={place} text={code} maxLines={24} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

"use client";

import { Tabs } from "@mantine/core";
import dynamic from "next/dynamic";
import { useRefusal } from "@/components/kit/session/me";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import type { McpServer } from "@/contracts/mcp/mcp-servers";
import classes from "./mcp-servers.module.css";
import { ServerTools } from "./server-tools";

const loading = () => <RowSkeletons rows={3} height={3} what="the list" />;
const ServerResources = dynamic(() => import("./server-resources").then((file) => file.ServerResources), { ssr: false, loading });
const ServerPrompts = dynamic(() => import("./server-prompts").then((file) => file.ServerPrompts), { ssr: false, loading });
const ServerInstructions = dynamic(() => import("./server-instructions").then((file) => file.ServerInstructions), { ssr: false, loading });
const ServerLog = dynamic(() => import("./server-log").then((file) => file.ServerLog), { ssr: false, loading });

/** Tools, resources, prompts, instructions and log messages of a server. */
export function ServerContents({ server }: { server: McpServer }) {
  const logRefusal = useRefusal("mcp:write");
  return (
    <Tabs defaultValue="tools" keepMounted={false}>
      <Tabs.List className={classes.tabs}>
        <Tabs.Tab value="tools">Tools</Tabs.Tab>
        <Tabs.Tab value="resources">Resources</Tabs.Tab>
        <Tabs.Tab value="prompts">Prompts</Tabs.Tab>
        <Tabs.Tab value="instructions">Instructions</Tabs.Tab>
        {logRefusal === null ? <Tabs.Tab value="log">Log</Tabs.Tab> : null}
      </Tabs.List>
      <Tabs.Panel value="tools">
        <ServerTools server={server} />
      </Tabs.Panel>
      <Tabs.Panel value="resources">
        <ServerResources id={server.id} />
      </Tabs.Panel>
      <Tabs.Panel value="prompts">
        <ServerPrompts id={server.id} />
      </Tabs.Panel>
      <Tabs.Panel value="instructions">
        <ServerInstructions server={server} />
      </Tabs.Panel>
      <Tabs.Panel value="log">
        <ServerLog id={server.id} />
      </Tabs.Panel>
    </Tabs>
  );
}

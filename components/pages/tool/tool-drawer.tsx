"use client";

import { Tabs } from "@mantine/core";
import { IconToolsOff } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { TryTool } from "@/components/pages/try-call/try-tool";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./tool-details.module.css";
import type { ToolChange } from "./use-change-tool";

// Loaded on demand, so that the list appears sooner.
const loading = () => <RowSkeletons rows={4} height={4} what="the tool" />;
const ToolStory = dynamic(async () => (await import("./tool-details")).ToolDetails, { ssr: false, loading });
const RecentCalls = dynamic(async () => (await import("@/components/nouns/calls/recent-calls")).RecentCalls, { ssr: false, loading });

const toolViews = ["details", "try", "calls"] as const;

type ToolDrawerProps = {
  /** Function name of the tool in the address. */
  name: string | null;
  tools: readonly Tool[];
  onClose: () => void;
  onChange: (tool: Tool, change: ToolChange) => void;
};

/** Details and settings of one tool, and a form to try it. */
export function ToolDrawer({ name, tools, onClose, onChange }: ToolDrawerProps) {
  const tool = tools.find((candidate) => candidate.name === name || candidate.aliases.includes(name ?? ""));
  const [view, setView] = useQueryState("view", parseAsStringLiteral(toolViews).withDefault("details"));
  const close = () => {
    void setView(null);
    onClose();
  };
  return (
    <DetailDrawer opened={name !== null} onClose={close} title={<CodeText>{tool?.name ?? name}</CodeText>}>
      {tool ? (
        <Tabs
          key={tool.id}
          value={view}
          onChange={(chosen) => void setView(toolViews.find((known) => known === chosen) ?? null)}
          keepMounted={false}
        >
          <Tabs.List className={classes.tabs}>
            <Tabs.Tab value="details">Details</Tabs.Tab>
            {tool.mode === "provider" ? null : (
              <>
                <Tabs.Tab value="try">Try it</Tabs.Tab>
                <Tabs.Tab value="calls">Calls</Tabs.Tab>
              </>
            )}
          </Tabs.List>
          <Tabs.Panel value="details">
            <ToolStory tool={tool} onChange={onChange} />
          </Tabs.Panel>
          <Tabs.Panel value="try">
            <TryTool toolName={tool.name} />
          </Tabs.Panel>
          <Tabs.Panel value="calls">
            <RecentCalls filter={{ tool: tool.name }} tools={tools} empty="Calls of the last 30 days appear here." />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <EmptyState icon={IconToolsOff} title="No tool has this name">
          The MCP server no longer lists this tool, or the address is wrong.
        </EmptyState>
      )}
    </DetailDrawer>
  );
}

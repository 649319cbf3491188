"use client";

import { IconToolsOff } from "@tabler/icons-react";
import { DetailDrawer } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { MachineText } from "@/components/ui/machine-text";
import type { Tool } from "@/contracts/tools";
import { ToolStory } from "./tool-story";
import type { ToolChange } from "./use-change-tool";

type ToolDrawerProps = {
  /** Function name of the tool that the address asks for. */
  name: string | null;
  tools: readonly Tool[];
  onClose: () => void;
  onChange: (tool: Tool, change: ToolChange) => void;
};

/** The whole story of one tool. */
export function ToolDrawer({ name, tools, onClose, onChange }: ToolDrawerProps) {
  const tool = tools.find((candidate) => candidate.name === name || candidate.aliases.includes(name ?? ""));
  return (
    <DetailDrawer opened={name !== null} onClose={onClose} title={<MachineText>{tool?.name ?? name}</MachineText>}>
      {tool ? (
        <ToolStory key={tool.id} tool={tool} onChange={onChange} />
      ) : (
        <EmptyState icon={IconToolsOff} title="There is no tool of this name">
          Its MCP server may list it no longer, or the link is not complete.
        </EmptyState>
      )}
    </DetailDrawer>
  );
}

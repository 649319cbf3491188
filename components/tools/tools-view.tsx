"use client";

import { Button } from "@mantine/core";
import { IconSearchOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback } from "react";
import { useToolsOfServers } from "@/components/mcp-servers/use-tools-of-servers";
import { useRefusal } from "@/components/shell/me";
import { useRowKeys } from "@/components/shell/use-row-keys";
import { useDetail } from "@/components/ui/detail-drawer";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { StatusBadge } from "@/components/ui/status-badge";
import { type Tool, toolTiers } from "@/contracts/tools";
import { filterTools, type ToolChoice } from "./filter-tools";
import { toolQueries } from "./queries";
import { ToolDrawer } from "./tool-drawer";
import { ToolFilters } from "./tool-filters";
import { ToolSection } from "./tool-section";
import classes from "./tools.module.css";
import { type ToolChange, useChangeTool } from "./use-change-tool";

const inTheAddress = { query: parseAsString.withDefault(""), source: parseAsString, family: parseAsString };

/** Core and Extension, what fits the filters in each, and the story of one tool beside them. */
export function ToolsView() {
  const [choice, setChoice] = useQueryStates(inTheAddress);
  const tools = useQuery(toolQueries.list());
  const refusal = useRefusal("tools:write");
  const detail = useDetail("tool");
  const change = useChangeTool();
  const connecting = useToolsOfServers();
  useRowKeys("Tools");

  const onChange = useCallback(
    (tool: Tool, wanted: ToolChange) => {
      const held = document.activeElement?.closest(`[id="tier-of-${tool.name}"]`);
      change(tool, wanted);
      // The row moves to the other section; the keyboard's focus goes with it.
      if (held && "tier" in wanted) requestAnimationFrame(() => focusTier(tool.name));
    },
    [change],
  );
  const clear = () => setChoice({ query: "", source: null, family: null });
  const filter = (changed: Partial<ToolChoice>) => void setChoice(changed);

  if (tools.isPending) return <RowSkeletons rows={10} height={3.75} what="the tools" />;
  if (tools.isError && !tools.data) {
    return <ErrorState error={tools.error} what="the tools" retry={() => void tools.refetch()} retrying={tools.isFetching} />;
  }
  const shown = filterTools(tools.data, choice);
  return (
    <>
      <ToolFilters tools={tools.data} choice={choice} onChange={filter} />
      {connecting.length > 0 ? (
        <p className={classes.connecting} role="status">
          <StatusBadge tone="running">Connecting</StatusBadge> {connecting.join(", ")}: {connecting.length === 1 ? "its" : "their"} tools
          appear here by themselves.
        </p>
      ) : null}
      {shown.length === 0 ? (
        <EmptyState
          icon={IconSearchOff}
          title="No tool fits"
          action={
            <Button variant="default" onClick={clear}>
              Show all tools
            </Button>
          }
        >
          None of the {tools.data.length} tools has these words in its name, aliases or description with this source and family.
        </EmptyState>
      ) : (
        toolTiers.map((tier) => (
          <ToolSection
            key={tier}
            tier={tier}
            all={tools.data.filter((tool) => tool.tier === tier)}
            shown={shown.filter((tool) => tool.tier === tier)}
            refusal={refusal}
            onOpen={detail.open}
            onChange={onChange}
          />
        ))
      )}
      <ToolDrawer name={detail.id} tools={tools.data} onClose={detail.close} onChange={onChange} />
    </>
  );
}

function focusTier(name: string) {
  const pressed = document.getElementById(`tier-of-${name}`)?.querySelector<HTMLElement>('[aria-pressed="true"]');
  pressed?.focus({ preventScroll: true });
}

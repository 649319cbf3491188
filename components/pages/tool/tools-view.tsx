"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsString, useQueryStates } from "nuqs";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useRowKeys } from "@/components/kit/keyboard/use-row-keys";
import { useRefusal } from "@/components/kit/session/me";
import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import { useDetail } from "@/components/kit/ui/overlays/use-detail";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { NoMatches } from "@/components/kit/ui/states/no-matches";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { useServerTools } from "@/components/nouns/mcp-servers/use-server-tools";
import { filterTools, type ToolChoice } from "@/components/nouns/tools/filter-tools";
import { toolQueries } from "@/components/nouns/tools/queries";
import { type Tool, toolTiers } from "@/contracts/browser/tools/tools";
import { BulkBar } from "./bulk-bar";
import { BulkSummary } from "./bulk-summary";
import { noSelection, pressed, type Selection } from "./selection";
import { ToolFilters } from "./tool-filters";
import { ToolSection } from "./tool-section";
import classes from "./tools.module.css";
import { type ToolChange, useChangeTool } from "./use-change-tool";
import { useChangeTools } from "./use-change-tools";
import { useTierFocus } from "./use-tier-focus";

// Loaded after the page, because a drawer opens only on a click.
const ToolDrawer = dynamic(() => import("./tool-drawer").then((file) => file.ToolDrawer), { ssr: false });

const inTheAddress = { query: parseAsString.withDefault(""), source: parseAsString, family: parseAsString };

/** The tools of both tiers, filtered, with details in a drawer. */
export function ToolsView() {
  const [choice, setChoice] = useQueryStates(inTheAddress);
  const tools = useQuery(toolQueries.list());
  const refusal = useRefusal("tools:write");
  const detail = useDetail("tool");
  const change = useChangeTool();
  const connecting = useServerTools();
  useRowKeys("Tools");

  const { names, order, select, selectAll, clearSelection } = useToolSelection();
  const bulk = useChangeTools(clearSelection);
  const holdTier = useTierFocus(tools.data);

  // Stable callbacks, because rows are memoized.
  const changeOne = useCallback(
    (tool: Tool, wanted: ToolChange) => {
      if ("tier" in wanted) holdTier(tool);
      change(tool, wanted);
    },
    [change, holdTier],
  );
  const clear = () => setChoice({ query: "", source: null, family: null });
  const filter = (changed: Partial<ToolChoice>) => void setChoice(changed);

  const shown = useMemo(() => filterTools(tools.data ?? [], choice), [tools.data, choice]);
  const sections = toolTiers.map((tier) => ({ tier, shown: shown.filter((tool) => tool.tier === tier) }));
  const shownNames = sections.flatMap((section) => section.shown.map(({ name }) => name));
  // Hidden tools are left out, so that nobody changes them unseen.
  const selected = shownNames.filter((name) => names.has(name));
  useEffect(() => {
    order.current = shownNames;
  });

  if (tools.isPending) return <RowSkeletons rows={10} height={3.75} what="the tools" />;
  if (tools.isError && !tools.data) {
    return <ErrorState error={tools.error} what="the tools" retry={() => void tools.refetch()} retrying={tools.isFetching} />;
  }
  return (
    <>
      <ToolFilters tools={tools.data} choice={choice} onChange={filter} />
      <ConnectingNote servers={connecting} />
      {shown.length === 0 ? (
        <NoMatch total={tools.data.length} onClear={clear} />
      ) : (
        sections.map((section) => (
          <ToolSection
            key={section.tier}
            tier={section.tier}
            all={tools.data.filter((tool) => tool.tier === section.tier)}
            shown={section.shown}
            refusal={refusal}
            selected={names}
            onSelect={select}
            onSelectAll={selectAll}
            onOpen={detail.open}
            onChange={changeOne}
          />
        ))
      )}
      {selected.length > 0 ? (
        <BulkBar
          selected={selected.length}
          shown={shownNames.length}
          isPending={bulk.isPending}
          onChange={(wanted) => bulk.change(selected, wanted)}
          onSelectAll={() => selectAll(shownNames, true)}
          onClear={clearSelection}
        />
      ) : null}
      {bulk.result && selected.length === 0 ? (
        <BulkSummary
          result={bulk.result}
          isPending={bulk.isPending}
          onUndo={() => bulk.result && bulk.undo(bulk.result)}
          onDismiss={bulk.dismiss}
        />
      ) : null}
      <ToolDrawer name={detail.id} tools={tools.data} onClose={detail.close} onChange={changeOne} />
    </>
  );
}

/** The chosen tools; `order` holds the names as they stand on the screen, for a press with Shift. */
function useToolSelection() {
  const [{ names }, setSelection] = useState<Selection>(noSelection);
  const order = useRef<readonly string[]>([]);
  const clearSelection = useCallback(() => setSelection(noSelection), []);
  const select = useCallback(
    (name: string, withShift: boolean) => setSelection((before) => pressed(before, name, withShift, order.current)),
    [],
  );
  const selectAll = (changed: readonly string[], isSelected: boolean) =>
    setSelection((before) => {
      const pressedNames = new Set(changed);
      const others = [...before.names].filter((name) => !pressedNames.has(name));
      return { names: new Set(isSelected ? [...others, ...changed] : others), last: null };
    });
  return { names, order, select, selectAll, clearSelection };
}

/** Names the servers whose tools are still to come. */
function ConnectingNote({ servers }: { servers: readonly string[] }) {
  if (servers.length === 0) return null;
  return (
    <p className={classes.connecting} role="status">
      <StatusBadge tone="running">Connecting</StatusBadge> {servers.join(", ")}: {servers.length === 1 ? "its" : "their"} tools appear here
      automatically.
    </p>
  );
}

function NoMatch({ total, onClear }: { total: number; onClear: () => void }) {
  return (
    <NoMatches title="No matching tools" clear="Show all tools" onClear={onClear}>
      The search and the filters hide all {total} tools.
    </NoMatches>
  );
}

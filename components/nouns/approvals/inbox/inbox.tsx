"use client";

import { Anchor } from "@mantine/core";
import { IconHandStop } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import Link from "next/link";
import { useQueryStates } from "nuqs";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import shared from "@/components/kit/ui/shared.module.css";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { NoMatches } from "@/components/kit/ui/states/no-matches";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import type { ApprovalFilter, InboxGroup, InboxRow } from "@/contracts/approvals/approvals";
import { ApprovalPane } from "../detail/approval-pane";
import { useOutbox } from "../outbox/decision-outbox";
import { approvalQueries, readAllRows } from "../queries";
import { approvalSearch, toInboxFilter } from "../search-params";
import classes from "./inbox.module.css";
import { groupKey, type InboxLine, rowGroupKey, rowLines, rowsToShow, toGroupFilter, toGroupLines, toRowLines } from "./inbox-lines";
import { InboxList, type InboxListHandle } from "./inbox-list";
import { InboxToolbar } from "./inbox-toolbar";
import { findKeptRows, holdGroups } from "./kept-lines";
import { SelectionBar } from "./selection-bar";
import { useInboxKeys } from "./use-inbox-keys";
import { type Selection, useSelection } from "./use-selection";

const nothing: ApprovalFilter = { status: "pending", shape: "" };

/** Approvals that need a person: the list at the left, next to expire first, and the open approval at the right. */
export function Inbox() {
  const [search, setSearch] = useQueryStates(approvalSearch);
  const openId = search.approval;
  const filter = useMemo(() => toInboxFilter(search), [search]);
  const searchField = useRef<HTMLInputElement>(null);
  const list = useRef<InboxListHandle>(null);
  const bar = useRef<HTMLDivElement>(null);
  const selection = useSelection();
  const inbox = useInboxLines(search.grouped, filter);
  const { lines } = inbox;

  const onOpen = useCallback((id: string) => void setSearch({ approval: id }, { history: "push" }), [setSearch]);
  const onClose = useCallback(() => void setSearch({ approval: null }, { history: "push" }), [setSearch]);
  const change = useCallback((part: Parameters<typeof setSearch>[0]) => void setSearch(part), [setSearch]);
  const { selectingKey, select } = useSelectAll(selection);
  const openRow = useMemo(() => findRow(lines, openId), [lines, openId]);
  usePrefetchedNext(lines, openId);

  useInboxKeys({
    openId,
    lines,
    list,
    searchField,
    bar,
    onShow: (id) => void setSearch({ approval: id }, { history: "replace" }),
    onClose: () => void setSearch({ approval: null }),
    onToggle: selection.toggle,
    onClear: selection.clear,
    hasSelection: selection.selected.size > 0,
  });

  const isFiltered = Object.keys(filter).length > 1;
  return (
    <div className={classes.inbox} data-open={openId ? true : undefined}>
      <div className={classes.filters}>
        <InboxToolbar search={search} onChange={change} searchField={searchField} />
      </div>
      {inbox.failure ? (
        <ErrorState error={inbox.failure} what="the approvals" retry={inbox.retry} retrying={inbox.isRetrying} />
      ) : !inbox.isLoading && lines.length === 0 && !openId ? (
        isFiltered ? (
          <NothingFits onClear={() => void setSearch({ query: null, risk: null, agent: null, tool: null, kind: null, mine: null })} />
        ) : (
          <NothingPending />
        )
      ) : (
        <div className={`${classes.panes} ${shared.surface}`}>
          <div className={classes.list}>
            <SelectionBar
              ref={bar}
              selection={selection}
              total={inbox.total}
              isSelecting={selectingKey === allKey}
              onSelectAll={() => select(allKey, filter)}
              settled={inbox.settled}
              onHideSettled={inbox.hideSettled}
            />
            {inbox.isLoading ? (
              <RowSkeletons rows={8} height={2.5} what="the approvals" />
            ) : (
              <InboxList
                handle={list}
                lines={lines}
                openId={openId}
                selection={selection}
                selectingKey={selectingKey}
                onOpen={onOpen}
                onToggleGroup={inbox.toggleGroup}
                onSelectGroup={(group, isSelected) => selectGroup(group, isSelected)}
                onNearEnd={inbox.readMore}
              />
            )}
          </div>
          <ApprovalPane id={openId} row={openRow} onClose={onClose} />
        </div>
      )}
    </div>
  );

  function selectGroup(group: InboxGroup, isSelected: boolean) {
    const key = groupKey(group);
    if (isSelected) select(key, toGroupFilter(filter, group));
    else selection.remove((row) => rowGroupKey(row) === key);
  }
}

/** Reads the approvals as lines: grouped by shape, with the rows of the open group, or one by one. */
function useInboxLines(isGrouped: boolean, filter: ApprovalFilter) {
  const [openKey, setOpenKey] = useState<string | null>(null);
  const groups = useQuery({ ...approvalQueries.groups(filter), enabled: isGrouped });
  const filterKey = JSON.stringify(filter);
  const { kept, settled, hideSettled } = useKeptRows(filterKey);
  const shownGroups = useHeldGroups(groups.data?.groups, kept, `${isGrouped} ${filterKey}`);
  const openGroup = shownGroups.find((group) => groupKey(group) === openKey);
  const isListRead = !isGrouped || openGroup !== undefined;
  const listFilter = !isGrouped ? filter : openGroup ? toGroupFilter(filter, openGroup) : nothing;
  const { data, error, refetch, isRefetching, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...approvalQueries.inbox(listFilter),
    enabled: isListRead,
  });

  const lines = useMemo(() => {
    const listed = data?.pages.flatMap(({ items }) => items) ?? [];
    if (!isGrouped) return toRowLines(rowsToShow(listed, kept));
    const keptInGroup = new Map([...kept].filter(([, row]) => rowGroupKey(row) === openKey));
    return toGroupLines(shownGroups, openKey, rowsToShow(listed, keptInGroup));
  }, [data, kept, isGrouped, shownGroups, openKey]);
  const total = (isGrouped ? groups.data?.total : data?.pages[0]?.total) ?? 0;
  const readMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);

  return {
    lines,
    total,
    settled,
    hideSettled,
    readMore,
    toggleGroup: (key: string) => setOpenKey(key === openKey ? null : key),
    failure: error && !data ? error : groups.error && !groups.data ? groups.error : null,
    isLoading: isGrouped ? !groups.data : !data,
    retry: isGrouped ? groups.refetch : refetch,
    isRetrying: isRefetching,
  };
}

const findRow = (lines: readonly InboxLine[], id: string | null): InboxRow | null => rowLines(lines).find((row) => row.id === id) ?? null;

/** Reads the detail of the approval that follows the open one, so that a step by key shows it at once. */
function usePrefetchedNext(lines: readonly InboxLine[], openId: string | null) {
  const client = useQueryClient();
  const rows = rowLines(lines);
  const next = rows[rows.findIndex(({ id }) => id === openId) + 1]?.id;
  useEffect(() => {
    if (next) void client.prefetchQuery({ ...approvalQueries.one(next), staleTime: prefetchedMs });
  }, [client, next]);
}

const prefetchedMs = 30_000;
const allKey = "all";

/** Selects all approvals of a filter that this person may decide. */
function useSelectAll(selection: Selection) {
  const [selectingKey, setSelectingKey] = useState<string | null>(null);
  const select = (key: string, filter: ApprovalFilter) => {
    setSelectingKey(key);
    readAllRows(filter, AbortSignal.timeout(60_000))
      .then((rows) => selection.add(rows.filter(({ mayDecide }) => mayDecide.isAllowed)))
      // The list shows its own error; nothing is selected.
      .catch(() => undefined)
      .finally(() => setSelectingKey(null));
  };
  return { selectingKey, select };
}

/** Keeps rows decided here in their place until they are hidden or another filter is chosen, so that no row moves under a finger. */
function useKeptRows(filter: string) {
  const outbox = useOutbox();
  const { outcomes } = outbox;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [keptUnder, setKeptUnder] = useState(filter);
  if (keptUnder !== filter) {
    setKeptUnder(filter);
    setHidden(new Set(outcomes.keys()));
  }
  const kept = useMemo(() => findKeptRows(outbox, hidden), [outbox, hidden]);
  const settledIds = [...kept.keys()].filter((id) => outcomes.get(id)?.state === "taken");
  return { kept, settled: settledIds.length, hideSettled: () => setHidden(new Set([...hidden, ...settledIds])) };
}

/** Keeps the groups of one filter in their place, and their counts while decisions are being sent. */
function useHeldGroups(
  fresh: readonly InboxGroup[] | undefined,
  kept: ReadonlyMap<string, InboxRow>,
  filter: string,
): readonly InboxGroup[] {
  const { batches } = useOutbox();
  const isSending = batches.some(({ state }) => state === "sending");
  const [held, setHeld] = useState<{ filter: string; groups: readonly InboxGroup[] }>({ filter, groups: [] });
  const before = held.filter === filter ? held.groups : [];
  const groups = fresh ? holdGroups(before, fresh, kept, isSending) : before;
  if (held.filter !== filter || groups !== held.groups) setHeld({ filter, groups });
  return groups;
}

function NothingPending() {
  return (
    <EmptyState icon={IconHandStop} title="No pending approvals">
      New requests appear here automatically.{" "}
      <Anchor component={Link} href="/guard" size="sm" underline="always">
        See which calls need approval
      </Anchor>
    </EmptyState>
  );
}

function NothingFits({ onClear }: { onClear: () => void }) {
  return (
    <NoMatches title="No matching approvals" clear="Clear filters" onClear={onClear}>
      Other approvals may be pending.
    </NoMatches>
  );
}

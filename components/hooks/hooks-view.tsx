"use client";

import { Button, Tabs } from "@mantine/core";
import { IconGitBranch, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { useShortcuts } from "@/components/keyboard/shortcuts";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { useRefusal } from "@/components/session/me";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { PageHeader } from "@/components/ui/page-header";
import { RowSkeletons } from "@/components/ui/row-skeletons";
import { useIdlePreload } from "@/components/ui/use-idle-preload";
import { HookList } from "./hook-list";
import { HookRuns } from "./hook-runs";
import { hookQueries } from "./queries";
import { hookSearch, hookTabs, toRunFilter } from "./search-params";

const loadEditor = () => import("./hook-editor");
const HookEditor = dynamic(() => loadEditor().then((file) => file.HookEditor), { ssr: false });

/** Hooks: the list, the editor and their runs. */
export function HooksView() {
  const refusal = useRefusal("hooks:write");
  const hooks = useQuery(hookQueries.list());
  const [search, setSearch] = useQueryStates(hookSearch, { history: "push" });
  useRowKeys("Hooks");
  useIdlePreload(loadEditor);
  const open = (hook: string | null) => void setSearch({ hook });
  const add = () => {
    if (refusal === null) open("new");
  };
  useShortcuts([{ keys: "n", label: "Add a hook", group: "Hooks", run: add }]);
  const items = hooks.data?.items ?? [];
  const edited = items.find(({ id }) => id === search.hook) ?? null;
  const addButton = (
    <DisabledReason reason={refusal}>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add} disabled={refusal !== null}>
        Add hook
      </Button>
    </DisabledReason>
  );
  return (
    <>
      <PageHeader
        title="Hooks"
        description="Transform or check calls, results and model requests. Hooks run before the guard and cannot bypass it."
      >
        {items.length === 0 ? null : addButton}
      </PageHeader>
      <Tabs
        value={search.tab}
        onChange={(tab) => void setSearch({ tab: hookTabs.find((known) => known === tab) ?? "hooks" })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="hooks">Hooks</Tabs.Tab>
          <Tabs.Tab value="runs">Runs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="hooks">
          {hooks.isPending ? (
            <RowSkeletons rows={3} height={3.75} what="the hooks" />
          ) : !hooks.data ? (
            <ErrorState error={hooks.error} what="the hooks" retry={() => void hooks.refetch()} retrying={hooks.isFetching} />
          ) : items.length === 0 ? (
            <EmptyState icon={IconGitBranch} title="No hooks yet" action={addButton}>
              Add a hook to redact arguments, mask results, set missing arguments, or answer from a cache.
            </EmptyState>
          ) : (
            <HookList hooks={items} onOpen={open} onShowRuns={(of) => void setSearch({ tab: "runs", of, outcome: null })} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <HookRuns hooks={items} filter={toRunFilter(search)} onFilter={(changed) => void setSearch(changed)} />
        </Tabs.Panel>
      </Tabs>
      {search.hook === "new" || edited ? (
        <HookEditor
          key={search.hook}
          hook={edited}
          nextOrder={Math.max(0, ...items.map(({ order }) => order)) + 10}
          onClose={() => open(null)}
        />
      ) : null}
    </>
  );
}

"use client";

import { Tabs } from "@mantine/core";
import { IconGitBranch } from "@tabler/icons-react";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { AddButton } from "@/components/kit/resources/add-button";
import { useResourcePage } from "@/components/kit/resources/use-resource-page";
import { PageHeader } from "@/components/kit/ui/page/page-header";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import { Loaded } from "@/components/kit/ui/states/loaded";
import { useIdlePreload } from "@/components/kit/ui/use-idle-preload";
import { HookList } from "./hook-list";
import { HookRuns } from "./hook-runs";
import { hookResource } from "./queries";
import { hookSearch, hookTabs, toRunFilter } from "./search-params";

const loadEditor = () => import("./hook-editor");
const HookEditor = dynamic(() => loadEditor().then((file) => file.HookEditor), { ssr: false });

/** Hooks: the list, the editor and their runs. */
export function HooksView() {
  const page = useResourcePage(hookResource, { title: "Hooks", address: "hook", permission: "hooks:write" });
  const { list, rows: hooks, id } = page;
  const [search, setSearch] = useQueryStates(hookSearch, { history: "push" });
  useIdlePreload(loadEditor);
  const edited = hooks.find((hook) => hook.id === id) ?? null;
  const addButton = <AddButton noun="hook" page={page} />;
  return (
    <>
      <PageHeader
        title="Hooks"
        description="Transform or check calls, results and model requests. Hooks run before the guard and cannot bypass it."
      >
        {hooks.length === 0 ? null : addButton}
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
          <Loaded query={list} what="the hooks" rows={3} height={3.75}>
            {() =>
              hooks.length === 0 ? (
                <EmptyState icon={IconGitBranch} title="No hooks yet" action={addButton}>
                  Add a hook to redact arguments, mask results, set missing arguments, or answer from a cache.
                </EmptyState>
              ) : (
                <HookList page={page} onShowRuns={(of) => void setSearch({ tab: "runs", of, outcome: null })} />
              )
            }
          </Loaded>
        </Tabs.Panel>
        <Tabs.Panel value="runs">
          <HookRuns hooks={hooks} filter={toRunFilter(search)} onFilter={(changed) => void setSearch(changed)} />
        </Tabs.Panel>
      </Tabs>
      {id === "new" || edited ? (
        <HookEditor key={id} hook={edited} nextOrder={Math.max(0, ...hooks.map(({ order }) => order)) + 10} onClose={page.close} />
      ) : null}
    </>
  );
}

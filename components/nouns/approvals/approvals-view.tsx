"use client";

import { Tabs } from "@mantine/core";
import dynamic from "next/dynamic";
import { useQueryStates } from "nuqs";
import { orUnloaded } from "@/components/kit/ui/states/unloaded-part";
import { ToolChanges } from "@/components/nouns/tool-changes/tool-changes";
import { Inbox } from "./inbox/inbox";
import { approvalSearch, approvalTabs } from "./search-params";
import { usePendingCount } from "./watch/pending-count";

const History = dynamic(() => import("./history").then((file) => file.History).catch(orUnloaded));
const GrantList = dynamic(() => import("@/components/nouns/grants/grant-list").then((file) => file.GrantList).catch(orUnloaded));

/** The inbox of pending approvals, the history of decided ones, and the grants. */
export function ApprovalsView() {
  const [{ tab }, setSearch] = useQueryStates(approvalSearch);
  const count = usePendingCount();
  const show = (value: string | null) => {
    // Clears the filters, because they belong to one tab only.
    const known = approvalTabs.find((name) => name === value);
    void setSearch(null).then(() => (known && known !== "pending" ? setSearch({ tab: known }) : undefined));
  };
  return (
    <Tabs value={tab} onChange={show} keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="pending">Pending{count > 0 ? ` (${count.toLocaleString("en")})` : ""}</Tabs.Tab>
        <Tabs.Tab value="history">History</Tabs.Tab>
        <Tabs.Tab value="grants">Always allowed</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="pending">
        <ToolChanges />
        <Inbox />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <History />
      </Tabs.Panel>
      <Tabs.Panel value="grants">
        <GrantList />
      </Tabs.Panel>
    </Tabs>
  );
}

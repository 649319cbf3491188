"use client";

import { Tabs } from "@mantine/core";
import { useQueryState } from "nuqs";
import { GrantList } from "@/components/grants/grant-list";
import { usePendingCount } from "@/components/shell/pending-count";
import { useDetail } from "@/components/ui/detail-drawer";
import { ApprovalDrawer } from "./approval-drawer";
import { History } from "./history";
import { Inbox } from "./inbox";
import { approvalSearch, approvalTabs } from "./search-params";

/** The inbox of what waits, the history of what was answered, and what is allowed in advance. */
export function ApprovalsView() {
  const [tab, setTab] = useQueryState("tab", approvalSearch.tab);
  const detail = useDetail("approval");
  const count = usePendingCount();
  return (
    <>
      <Tabs value={tab} onChange={(value) => void setTab(approvalTabs.find((known) => known === value) ?? null)} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="pending">Waiting{count > 0 ? ` (${count})` : ""}</Tabs.Tab>
          <Tabs.Tab value="history">History</Tabs.Tab>
          <Tabs.Tab value="grants">Always allowed</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="pending">
          <Inbox onOpen={detail.open} />
        </Tabs.Panel>
        <Tabs.Panel value="grants">
          <GrantList />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <History onOpen={detail.open} />
        </Tabs.Panel>
      </Tabs>
      <ApprovalDrawer id={detail.id} onClose={detail.close} />
    </>
  );
}

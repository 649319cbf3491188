"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "@/components/api/call";
import { usePendingCount } from "@/components/shell/pending-count";
import { type Approval, approvalEndpoints } from "@/contracts/approvals";
import { alertOf, useAlertSettings } from "./alert-settings";
import { useCountInTitle } from "./count-in-title";
import { approvalQueries } from "./queries";
import { watchApprovals } from "./watch-approvals";

/**
 * Keeps everything about approvals current on every page: the lists, the number in the navigation and in the title of the
 * window, and, where the person asked for it, a sound or a notification of the desktop.
 */
export function ApprovalWatch() {
  const client = useQueryClient();
  const { settings } = useAlertSettings();
  const latestSettings = useRef(settings);
  useEffect(() => {
    latestSettings.current = settings;
  });
  useCountInTitle(usePendingCount());

  useEffect(
    () =>
      watchApprovals((news, isFirst) => {
        void client.invalidateQueries({ queryKey: approvalQueries.all() });
        if (isFirst && news.kind === "requested") void alertOf(latestSettings.current, () => readApproval(news.id));
      }),
    [client],
  );
  return null;
}

function readApproval(id: string): Promise<Approval> {
  return call(approvalEndpoints.get, { params: { id } });
}

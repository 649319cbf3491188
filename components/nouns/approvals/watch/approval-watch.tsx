"use client";

import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "@/components/kit/api/call";
import { codingAgentQueries } from "@/components/nouns/coding-agents/queries";
import { type Approval, approvalEndpoints } from "@/contracts/browser/approvals/approvals";
import { refreshApprovals } from "../inbox/refresh-rows";
import { approvalQueries } from "../queries";
import { sendAlert, sendToolAlert, useAlertSettings } from "./alert-settings";
import { useCountInTitle } from "./count-in-title";
import { OutboxNotes } from "./outbox-notes";
import { usePendingCount } from "./pending-count";
import { pendingCountQuery } from "./pending-count-query";
import { watchApprovals } from "./watch-approvals";

/**
 * Keeps approvals current on every page: the lists, the number in the navigation and in the window's title, and the
 * sound or desktop notification that the person enabled.
 */
export function ApprovalWatch() {
  const client = useQueryClient();
  const { settings } = useAlertSettings();
  const latestSettings = useRef(settings);
  useEffect(() => {
    latestSettings.current = settings;
  });
  useCountInTitle(usePendingCount());

  useEffect(() => {
    let changed: Set<string> | "everything" = new Set();
    const { run: refresh, stop } = atMostOnceEvery(refreshPauseMs, () => {
      const now = changed;
      changed = new Set();
      void client.invalidateQueries({ queryKey: codingAgentQueries.all() });
      if (now === "everything") void client.invalidateQueries({ queryKey: approvalQueries.all() });
      else void refreshApprovals(client, now);
    });
    const stopWatching = watchApprovals((news, isFirst) => {
      if (news.kind === "quiet") return void readAgainWhenMissed(client);
      if (!("id" in news)) changed = "everything";
      else if (changed !== "everything") changed.add(news.id);
      refresh();
      if (isFirst && news.kind === "quarantined") sendToolAlert(latestSettings.current);
      if (isFirst && news.kind === "requested") void sendAlert(latestSettings.current, () => readApproval(news.id));
    });
    return () => {
      stopWatching();
      stop();
    };
  }, [client]);
  return <OutboxNotes />;
}

/** Reads the lists again when the number of pending approvals is not theirs, because an event was lost. */
async function readAgainWhenMissed(client: QueryClient): Promise<void> {
  await client.refetchQueries({ queryKey: pendingCountQuery.queryKey });
  const total = client.getQueryData(pendingCountQuery.queryKey)?.total;
  const shown = client.getQueryData(approvalQueries.inbox({ status: "pending" }).queryKey)?.pages[0]?.total;
  if (shown !== undefined && shown !== total) await client.invalidateQueries({ queryKey: approvalQueries.all() });
}

/** Shortest time between refetches, so that many events do not reread lists of thousands each. */
const refreshPauseMs = 1_000;

/** Throttles work: the first request runs at once, later ones together after the pause. */
function atMostOnceEvery(pauseMs: number, work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAskedAgain = false;
  const run = () => {
    if (timer !== undefined) {
      isAskedAgain = true;
      return;
    }
    work();
    timer = setTimeout(() => {
      timer = undefined;
      if (isAskedAgain) {
        isAskedAgain = false;
        run();
      }
    }, pauseMs);
  };
  return { run, stop: () => clearTimeout(timer) };
}

function readApproval(id: string): Promise<Approval> {
  return call(approvalEndpoints.get, { params: { id } });
}

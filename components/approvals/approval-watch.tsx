"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { call } from "@/components/api/call";
import { type Approval, approvalEndpoints } from "@/contracts/browser/approvals";
import { sendAlert, sendToolAlert, useAlertSettings } from "./alert-settings";
import { useCountInTitle } from "./count-in-title";
import { OutboxNotes } from "./outbox-notes";
import { usePendingCount } from "./pending-count";
import { approvalQueries } from "./queries";
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

  const refresh = useRef<(() => void) | null>(null);
  useEffect(() => {
    const { run, stop } = atMostOnceEvery(refreshPauseMs, () => void client.invalidateQueries({ queryKey: approvalQueries.all() }));
    refresh.current = run;
    return stop;
  }, [client]);

  useEffect(
    () =>
      watchApprovals((news, isFirst) => {
        refresh.current?.();
        if (isFirst && news.kind === "quarantined") sendToolAlert(latestSettings.current);
        if (isFirst && news.kind === "requested") void sendAlert(latestSettings.current, () => readApproval(news.id));
      }),
    [],
  );
  return <OutboxNotes />;
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

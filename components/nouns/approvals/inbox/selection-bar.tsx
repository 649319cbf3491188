"use client";

import { Button } from "@mantine/core";
import dynamic from "next/dynamic";
import { type Ref, useEffect, useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import classes from "./selection-bar.module.css";
import type { Selection } from "./use-selection";
import { useTypedAhead } from "./use-typed-ahead";

// Loaded with the first selection.
const loadBulkDecision = () => import("../outbox/bulk-decision").then((file) => file.BulkDecision);
const BulkDecision = dynamic(loadBulkDecision, { ssr: false });

type SelectionBarProps = {
  ref: Ref<HTMLDivElement>;
  selection: Selection;
  /** Number of approvals that match the filter. */
  total: number;
  isSelecting: boolean;
  onSelectAll: () => void;
  /** Number of lines that stay only because they were decided here. */
  settled: number;
  onHideSettled: () => void;
};

/** Head of the list: the number of pending approvals, or the buttons of a selection. */
export function SelectionBar({ ref, selection, total, isSelecting, onSelectAll, settled, onHideSettled }: SelectionBarProps) {
  const refusal = useRefusal("approvals:decide");
  const [deciding, setDeciding] = useState<"approve" | "reject" | null>(null);
  const [comment, setComment] = useState("");
  const count = selection.selected.size;
  const hasSelection = count > 0;
  useEffect(() => {
    if (hasSelection) void loadBulkDecision();
  }, [hasSelection]);
  useTypedAhead(deciding === "reject", setComment);
  const close = () => {
    setDeciding(null);
    setComment("");
  };
  return (
    <div className={classes.bar} ref={ref}>
      <input
        type="checkbox"
        className={classes.all}
        aria-label="Select all"
        checked={isSelecting || (count > 0 && count >= total)}
        ref={(box) => {
          if (box) box.indeterminate = !isSelecting && count > 0 && count < total;
        }}
        disabled={isSelecting || total === 0 || refusal !== null}
        onChange={(event) => (event.currentTarget.checked ? onSelectAll() : selection.clear())}
      />
      <span className={classes.count} role="status" data-numeric>
        {isSelecting ? "Selecting…" : count > 0 ? `${count.toLocaleString("en")} selected` : `${total.toLocaleString("en")} pending`}
      </span>
      {count > 0 ? (
        <DisabledReason reason={refusal}>
          <Button size="compact-sm" color="green" disabled={refusal !== null} onClick={() => setDeciding("approve")} data-action="approve">
            Approve
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            disabled={refusal !== null}
            onClick={() => setDeciding("reject")}
            data-action="reject"
          >
            Reject
          </Button>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={selection.clear}>
            Clear
          </Button>
        </DisabledReason>
      ) : settled > 0 ? (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onHideSettled}>
          Hide decided ({settled})
        </Button>
      ) : null}
      <BulkDecision
        decision={deciding}
        rows={[...selection.selected.values()]}
        comment={comment}
        onComment={setComment}
        onClose={close}
        onDecided={() => {
          close();
          selection.clear();
        }}
      />
    </div>
  );
}

"use client";

import { Button } from "@mantine/core";
import { IconArrowLeft, IconHandClick } from "@tabler/icons-react";
import { memo, useEffect, useRef } from "react";
import { EmptyState } from "@/components/kit/ui/states/empty-state";
import type { InboxRow } from "@/contracts/approvals/approvals";
import { ApprovalDetail } from "./approval-detail";
import classes from "./approval-pane.module.css";

type ApprovalPaneProps = {
  id: string | null;
  /** The line of the open approval, if the list has it. */
  row: InboxRow | null;
  onClose: () => void;
};

/** The open approval beside the list; on a phone a full page. */
export const ApprovalPane = memo(function ApprovalPane({ id, row, onClose }: ApprovalPaneProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (id) pane.current?.scrollTo({ top: 0 });
  }, [id]);
  if (id === null) {
    return (
      <div className={classes.empty}>
        <EmptyState icon={IconHandClick} title="Select an approval">
          Press j and k to move through the list, ? for all keys.
        </EmptyState>
      </div>
    );
  }
  return (
    <section className={classes.pane} aria-label="Approval" data-approval-detail={id} ref={pane}>
      <div className={classes.back}>
        <Button variant="subtle" color="gray" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onClose}>
          Back to the list
        </Button>
      </div>
      <ApprovalDetail key={id} id={id} row={row} />
    </section>
  );
});

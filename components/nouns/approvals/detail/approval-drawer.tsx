"use client";

import { DetailDrawer } from "@/components/kit/ui/overlays/detail-drawer";
import { ApprovalDetail } from "./approval-detail";
import classes from "./approval-drawer.module.css";

/** One approval beside the history. */
export function ApprovalDrawer({ id, onClose }: { id: string | null; onClose: () => void }) {
  return (
    <DetailDrawer opened={id !== null} onClose={onClose} title="Approval">
      {id ? (
        <div className={classes.detail} data-approval-detail={id}>
          <ApprovalDetail key={id} id={id} />
        </div>
      ) : null}
    </DetailDrawer>
  );
}

"use client";

import { Button } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { Approval } from "@/contracts/approvals/approvals";
import { useOutbox } from "../outbox/decision-outbox";
import { splitDecidable } from "../outbox/split-decidable";
import { approvalQueries } from "../queries";
import classes from "./reply-decisions.module.css";

// Loaded when a reply with several calls is decided.
const BulkDecision = dynamic(() => import("../outbox/bulk-decision").then((file) => file.BulkDecision), { ssr: false });

/** Decides the pending calls of one reply together; nothing where this call is the only one. */
export function ReplyDecisions({ approval }: { approval: Approval }) {
  const { outcomes } = useOutbox();
  const { data } = useInfiniteQuery(approvalQueries.inbox({ status: "pending", turnId: approval.turnId, kind: "call" }));
  const [deciding, setDeciding] = useState<"approve" | "reject" | null>(null);
  const [comment, setComment] = useState("");
  const rows = (data?.pages.flatMap(({ items }) => items) ?? []).filter(({ id }) => {
    const state = outcomes.get(id)?.state;
    return state === undefined || state === "refused";
  });
  const close = () => {
    setDeciding(null);
    setComment("");
  };
  const approvable = splitDecidable(rows, "approve").together.length;
  const rejectable = splitDecidable(rows, "reject").together.length;
  if (rows.length < 2) return null;
  return (
    <div className={classes.together}>
      {approvable > 1 ? (
        <Button size="compact-sm" color="green" variant="light" onClick={() => setDeciding("approve")}>
          Approve {wordOf(approvable, rows.length)} of this reply
        </Button>
      ) : null}
      {rejectable > 1 ? (
        <Button size="compact-sm" variant="default" onClick={() => setDeciding("reject")}>
          Reject {wordOf(rejectable, rows.length)}
        </Button>
      ) : null}
      <BulkDecision decision={deciding} rows={rows} comment={comment} onComment={setComment} onClose={close} onDecided={close} />
    </div>
  );
}

const wordOf = (count: number, all: number): string => (count === all ? `all ${all}` : `${count} of ${all}`);

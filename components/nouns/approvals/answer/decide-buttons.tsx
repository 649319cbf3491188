"use client";

import { Button } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import shared from "@/components/kit/ui/shared.module.css";
import { approvalQueries } from "../queries";
import classes from "./decide-buttons.module.css";
import { useDecideRefusal } from "./use-decide-refusal";

type Answer = "approve" | "reject";

type DecideButtonsProps = {
  approvalId: string;
  /** The answer that is being sent. */
  sending: Answer | null;
  isDecided: boolean;
  onDecide: (answer: Answer) => void;
};

/** Approve and Reject beside a call outside the inbox; disabled, with the reason, when the person may not decide. */
export function DecideButtons({ approvalId, sending, isDecided, onDecide }: DecideButtonsProps) {
  const { data: approval, isPending } = useQuery(approvalQueries.one(approvalId));
  const refusal = useDecideRefusal(approval);
  // No reason while an answer is under way: the refusal would only reflect that answer.
  const reason = sending === null && !isDecided ? refusal : null;
  const isDisabled = isPending || refusal !== null || sending !== null || isDecided;
  return (
    <DisabledReason reason={reason}>
      <span className={`${classes.buttons} ${shared.bar}`}>
        <Button
          color="green"
          leftSection={<IconCheck size={17} aria-hidden />}
          disabled={isDisabled}
          loading={sending === "approve"}
          onClick={() => onDecide("approve")}
        >
          Approve
        </Button>
        <Button
          variant="default"
          leftSection={<IconX size={17} aria-hidden />}
          disabled={isDisabled}
          loading={sending === "reject"}
          onClick={() => onDecide("reject")}
        >
          Reject
        </Button>
      </span>
    </DisabledReason>
  );
}

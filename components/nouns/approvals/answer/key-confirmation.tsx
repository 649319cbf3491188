import { Kbd } from "@mantine/core";
import type { Approval } from "@/contracts/approvals/approvals";
import type { AnswerKey } from "./answer-drafts";
import classes from "./answer-form.module.css";
import { whyConfirm } from "./why-confirm";

const letters = { approve: "a", "approve-here": "c", reject: "r", edit: "e" } as const satisfies Record<AnswerKey, string>;
const verbs = { approve: "approve", "approve-here": "approve", reject: "decline", edit: "edit" } as const satisfies Record<
  AnswerKey,
  string
>;

/** Asks for a key a second time, with the reason. */
export function KeyConfirmation({ approval, pressed }: { approval: Approval; pressed: AnswerKey | null }) {
  if (pressed === null) return null;
  return (
    <p className={classes.confirm} role="status">
      {whyConfirm(approval, pressed)} Press <Kbd size="xs">{letters[pressed]}</Kbd> again to {verbs[pressed]}.
    </p>
  );
}

import { Button, Tooltip } from "@mantine/core";
import { IconCheck, IconChecks, IconX } from "@tabler/icons-react";
import classes from "./answer-form.module.css";
import { type RememberChoice, rememberHere } from "./remember-choices";

type AnswerButtonsProps = {
  /** Label of the button that answers with `remembered`. */
  once: string;
  remembered: RememberChoice;
  /** Whether the call may be approved for its conversation with one click. */
  withConversation: boolean;
  /** Offers the conversation first, because without the sandbox a conversation of Handrail's own agents asks often. */
  conversationFirst: boolean;
  disabled: boolean;
  disabledApproval: boolean;
  busy: boolean;
  onApprove: (choice: RememberChoice) => void;
  onReject: () => void;
};

/** Approve once, approve in this conversation, reject. The first one is filled. */
export function AnswerButtons(props: AnswerButtonsProps) {
  const { once, remembered, withConversation, conversationFirst, disabled, disabledApproval, busy } = props;
  const isHereFirst = withConversation && conversationFirst;
  // The first of three buttons has a line of its own.
  const first = withConversation ? `${classes.big} ${classes.first}` : classes.big;
  const onceButton = (
    <Button
      key="once"
      className={isHereFirst ? classes.big : first}
      color="green"
      variant={isHereFirst ? "light" : "filled"}
      leftSection={isHereFirst ? null : <IconCheck size={17} aria-hidden />}
      disabled={disabledApproval}
      loading={busy && !isHereFirst}
      onClick={() => props.onApprove(remembered)}
      data-action="approve"
    >
      {once}
    </Button>
  );
  const hereButton = withConversation ? (
    <Tooltip key="here" label="The same call with the same arguments runs without asking until this conversation is deleted.">
      <Button
        className={isHereFirst ? first : classes.big}
        color="green"
        variant={isHereFirst ? "filled" : "light"}
        leftSection={isHereFirst ? <IconChecks size={17} aria-hidden /> : null}
        disabled={disabledApproval}
        loading={busy && isHereFirst}
        onClick={() => props.onApprove(rememberHere)}
        data-action="approve-here"
      >
        Allow this exact call in this conversation
      </Button>
    </Tooltip>
  ) : null;
  return (
    <div className={classes.buttons}>
      {isHereFirst ? [hereButton, onceButton] : [onceButton, hereButton]}
      <Button
        className={classes.big}
        variant="default"
        leftSection={withConversation ? null : <IconX size={17} aria-hidden />}
        disabled={disabled}
        onClick={props.onReject}
        data-action="reject"
      >
        Reject
      </Button>
    </div>
  );
}

import { Button, type ButtonProps } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import { DisabledReason } from "./disabled-reason";

type RefusableButtonProps = ButtonProps & {
  /** Reason against a press; null when the person may press. */
  refusal: string | null;
  type?: "submit";
  onClick?: MouseEventHandler<HTMLButtonElement>;
  children: ReactNode;
};

/** A button that is disabled for a person without the right, and shows the reason. */
export function RefusableButton({ refusal, disabled = false, ...button }: RefusableButtonProps) {
  return (
    <DisabledReason reason={refusal}>
      <Button disabled={refusal !== null || disabled} {...button} />
    </DisabledReason>
  );
}

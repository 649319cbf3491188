"use client";

import { Button } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { sentenceOf } from "@/components/api/sentence-of";
import { confirmAction } from "./confirm-action";
import { DisabledReason } from "./disabled-reason";
import { DrawerForm } from "./drawer-form";
import { DrawerFrame } from "./drawer-frame";
import classes from "./editor-drawer.module.css";

type EditorDrawerProps = {
  title: ReactNode;
  /** What is written, in a sentence that changes with the fields. */
  sentence: ReactNode;
  /** What it would do, beside the fields. */
  aside: ReactNode;
  /** Why nothing can be changed here; null when it can. */
  refusal: string | null;
  /** Something was typed that is not saved yet. */
  isDirty: boolean;
  /** What is lost when it is left without saving: "What you changed in this rule is lost." */
  loss: string;
  /** Why it could not be saved. */
  error: unknown;
  isSaving: boolean;
  /** The verb on the button: "Save". */
  action: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onClose: () => void;
  /** The fields. */
  children: ReactNode;
};

/** Where something with many fields is written: its sentence and fields, what it would do, and Save below both. */
export function EditorDrawer(props: EditorDrawerProps) {
  const { title, sentence, aside, refusal, isDirty, loss, error, isSaving, action, onSubmit, onClose, children } = props;
  const close = () => {
    if (!isDirty || refusal !== null) return onClose();
    confirmAction({ title: "Leave without saving?", children: loss, action: "Leave", onConfirm: async () => onClose() });
  };
  const footer = (
    <div className={classes.footer}>
      {error ? (
        <p className={classes.error} role="alert">
          {sentenceOf(error)}
        </p>
      ) : null}
      <Button variant="default" onClick={close}>
        {refusal === null ? "Cancel" : "Close"}
      </Button>
      <DisabledReason reason={refusal}>
        <Button type="submit" loading={isSaving} disabled={refusal !== null}>
          {action}
        </Button>
      </DisabledReason>
    </div>
  );
  return (
    <DrawerFrame opened onClose={close} size="66rem" title={title} holds="form">
      <DrawerForm onSubmit={onSubmit} footer={footer} aside={aside}>
        <p className={classes.sentence} aria-live="polite">
          {sentence}
        </p>
        {children}
      </DrawerForm>
    </DrawerFrame>
  );
}

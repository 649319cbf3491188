"use client";

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { RevealedText } from "../text/revealed-text";
import { confirmAction } from "./confirm-action";
import { DrawerForm } from "./drawer-form";
import { DrawerFrame } from "./drawer-frame";
import classes from "./editor-drawer.module.css";

type EditorDrawerProps = {
  title: ReactNode;
  /** Description of the edited item, updated while the person types. */
  sentence: ReactNode;
  /** Preview of the effect, beside the fields. */
  aside: ReactNode;
  /** Why the person may not change the item; null when they may. */
  refusal: string | null;
  /** The form has unsaved changes. */
  isDirty: boolean;
  /** Warning about unsaved changes: "Your changes to this rule are lost." */
  loss: string;
  /** Error of the last save. */
  error: unknown;
  isSaving: boolean;
  /** Verb on the button: "Save". */
  action: string;
  onSubmit: () => void;
  onClose: () => void;
  /** Fields of the form. */
  children: ReactNode;
};

/** Drawer for an item with many fields: its description, fields, preview and Save button. */
export function EditorDrawer(props: EditorDrawerProps) {
  const { title, sentence, aside, refusal, isDirty, loss, error, isSaving, action, onSubmit, onClose, children } = props;
  const close = () => {
    if (!isDirty || refusal !== null) return onClose();
    confirmAction({ title: "Discard changes?", children: loss, action: "Discard", keep: "Keep editing", onConfirm: async () => onClose() });
  };
  const footer = (
    <div className={classes.footer}>
      {error ? (
        <p className={classes.error} role="alert">
          {toErrorSentence(error)}
        </p>
      ) : null}
      <Button variant="default" onClick={close}>
        {refusal === null ? "Cancel" : "Close"}
      </Button>
      <RefusableButton refusal={refusal} type="submit" loading={isSaving}>
        {action}
      </RefusableButton>
    </div>
  );
  return (
    <DrawerFrame opened onClose={close} size="66rem" title={title} holds="form">
      <DrawerForm onSubmit={onSubmit} footer={footer} aside={aside}>
        <p className={classes.sentence} aria-live="polite">
          <RevealedText text={sentence} />
        </p>
        {children}
      </DrawerForm>
    </DrawerFrame>
  );
}

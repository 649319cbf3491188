"use client";

import { Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { InlineFormButtons } from "@/components/kit/ui/forms/form-buttons";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";

type EditorFormProps = {
  noun: string;
  isNew: boolean;
  isComplete: boolean;
  saving: { isPending: boolean; mutate: () => void };
  /** The error above the buttons; null when it stands at a field. */
  error: Error | null;
  onCancel: () => void;
  children: ReactNode;
};

/** A form of the knowledge base in the place of what it edits. */
export function EditorForm({ noun, isNew, isComplete, saving, error, onCancel, children }: EditorFormProps) {
  return (
    <form
      aria-label={`${isNew ? "New" : "Edit"} ${noun}`}
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        {children}
        {error ? (
          <p className={shared.errorText} role="alert">
            <RevealedText text={toErrorSentence(error)} />
          </p>
        ) : null}
        <InlineFormButtons
          submit={`${isNew ? "Add" : "Save"} ${noun}`}
          isSaving={saving.isPending}
          disabled={!isComplete}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

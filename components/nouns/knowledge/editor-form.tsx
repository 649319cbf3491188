import { Stack } from "@mantine/core";
import { type UseFormReturnType, useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { InlineFormButtons } from "@/components/kit/ui/forms/form-buttons";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";

type EditorFormProps<Fields> = {
  noun: string;
  isNew: boolean;
  initialValues: Fields;
  isComplete: (fields: Fields) => boolean;
  save: (fields: Fields) => Promise<{ id: string }>;
  /** Returns the errors that stand at fields; all others stand above the buttons. */
  errorsOf?: (error: Error) => Record<string, string>;
  onSaved: (id: string) => Promise<void>;
  onCancel: () => void;
  children: (form: UseFormReturnType<Fields>) => ReactNode;
};

/** A form of the knowledge base in the place of what it edits. */
export function EditorForm<Fields extends Record<string, unknown>>(props: EditorFormProps<Fields>) {
  const { noun, isNew, initialValues, isComplete, save, errorsOf = () => ({}), onSaved, onCancel, children } = props;
  const form = useForm<Fields>({ mode: "controlled", initialValues });
  const saving = useMutation({
    meta: { showsError: true },
    mutationFn: save,
    onError: (error) => form.setErrors(errorsOf(error)),
    onSuccess: ({ id }) => onSaved(id),
  });
  const isSaidAtField = saving.error !== null && Object.keys(errorsOf(saving.error)).length > 0;
  return (
    <form aria-label={`${isNew ? "New" : "Edit"} ${noun}`} onSubmit={form.onSubmit((fields) => saving.mutate(fields))}>
      <Stack>
        {children(form)}
        {saving.error && !isSaidAtField ? (
          <p className={shared.errorText} role="alert">
            <RevealedText text={toErrorSentence(saving.error)} />
          </p>
        ) : null}
        <InlineFormButtons
          submit={`${isNew ? "Add" : "Save"} ${noun}`}
          isSaving={saving.isPending}
          disabled={!isComplete(form.values)}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}

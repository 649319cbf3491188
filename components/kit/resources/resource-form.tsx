"use client";

import { type UseFormReturnType, useForm } from "@mantine/form";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useRef } from "react";
import { isApiProblem } from "@/components/kit/api/api-problem";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors, issueErrors } from "@/components/kit/api/field-errors";
import { useUnshownErrors } from "@/components/kit/ui/forms/use-unshown-errors";
import { DrawerForm } from "@/components/kit/ui/overlays/drawer-form";
import { DrawerFormFooter } from "@/components/kit/ui/overlays/drawer-form-footer";
import { useUnsavedChanges } from "@/components/kit/ui/overlays/unsaved-changes";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";

type Issue = { path: readonly PropertyKey[]; message: string };

type ResourceFormProps<Fields, Draft, Saved> = {
  /** Words on the button that saves. */
  submit: string;
  initialValues: Fields;
  /** Checks the fields by the schema of the draft. */
  parse: (fields: Fields) => { success: true; data: Draft } | { success: false; error: { issues: readonly Issue[] } };
  /** Returns the field of an error's path; by default its first member. */
  fieldOf?: (path: readonly string[], fields: Fields) => string;
  save: (draft: Draft) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  onCancel: () => void;
  children: (form: UseFormReturnType<Fields>) => ReactNode;
};

/** The form of a row in a drawer. Errors stand at their fields, and all others above the buttons. */
export function ResourceForm<Fields extends Record<string, unknown>, Draft, Saved extends { name: string }>(
  props: ResourceFormProps<Fields, Draft, Saved>,
) {
  const { submit, initialValues, parse, fieldOf = ([first = ""]) => first, save, onSaved, onCancel, children } = props;
  const form = useForm<Fields>({ mode: "controlled", initialValues });
  useUnsavedChanges(form.isDirty());
  const errorsOf = (error: unknown): Record<string, string> => {
    const named = fieldErrors(error, (path) => fieldOf(path.split("."), form.getValues()));
    const isTaken = isApiProblem(error) && error.problem.code === "conflict" && Object.keys(named).length === 0;
    return isTaken ? { name: error.message } : named;
  };
  const saving = useMutation({
    meta: { showsError: true },
    mutationFn: save,
    onError: (error) => form.setErrors(errorsOf(error)),
    onSuccess: (saved) => {
      notifications.show({ message: spellHidden(`${saved.name} is saved`) });
      onSaved(saved);
    },
  });
  const onSubmit = () => {
    const fields = form.getValues();
    const parsed = parse(fields);
    form.clearErrors();
    if (parsed.success) return saving.mutate(parsed.data);
    saving.reset();
    form.setErrors(issueErrors(parsed.error.issues, (path) => fieldOf(path.map(String), fields)));
  };
  const body = useRef<HTMLDivElement>(null);
  const unshown = useUnshownErrors(Object.values(form.errors).map(String), () => body.current);
  const belongsToNoField = saving.error !== null && Object.keys(errorsOf(saving.error)).length === 0;
  const isSaidBelow = belongsToNoField || unshown.length > 0;
  return (
    <DrawerForm
      body={body}
      onSubmit={onSubmit}
      footer={
        <DrawerFormFooter
          error={isSaidBelow ? (saving.error ? toErrorSentence(saving.error) : unshown.join("; ")) : null}
          submit={submit}
          isSaving={saving.isPending}
          onCancel={onCancel}
        />
      }
    >
      {children(form)}
    </DrawerForm>
  );
}

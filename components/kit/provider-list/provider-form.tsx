import { Checkbox, PasswordInput, type PasswordInputProps } from "@mantine/core";
import type { FormEventHandler, ReactNode } from "react";
import { FormButtons } from "@/components/kit/ui/forms/form-buttons";
import { FormError } from "@/components/kit/ui/forms/form-error";
import { LateForm } from "@/components/kit/ui/forms/late-form";
import shared from "@/components/kit/ui/shared.module.css";

type ProviderFormProps = {
  onSubmit: FormEventHandler<HTMLFormElement>;
  /** The refusal of the last attempt to save; shown here when it names no field. */
  error: unknown;
  isSaving: boolean;
  onCancel: () => void;
  children: ReactNode;
};

/** The frame of a provider's form: its fields, the refusal, and the buttons. */
export function ProviderForm({ onSubmit, error, isSaving, onCancel, children }: ProviderFormProps) {
  return (
    <LateForm className={shared.story} onSubmit={onSubmit} noValidate>
      {children}
      <FormError error={error} />
      <FormButtons submit="Save" isSaving={isSaving} onCancel={onCancel} />
    </LateForm>
  );
}

type KeyFieldProps = { hasKey: boolean; removesKey: boolean; inputProps: PasswordInputProps };

/** The key of a provider; the stored key is never shown. */
export function KeyField({ hasKey, removesKey, inputProps }: KeyFieldProps) {
  return (
    <PasswordInput
      label="API key"
      description="Stored encrypted, and never shown again"
      placeholder={hasKey && !removesKey ? "Stored. Type over it to replace it" : "None"}
      autoComplete="new-password"
      data-autofocus
      disabled={removesKey}
      visibilityToggleButtonProps={{ "aria-label": "Show or hide the key", tabIndex: 0, "aria-hidden": false }}
      {...inputProps}
    />
  );
}

/** Removes the stored key when the form is saved. */
export function RemoveKeyField({ inputProps }: { inputProps: object }) {
  return <Checkbox label="Remove the stored key" {...inputProps} />;
}

/** Maps the API's path of a member, such as `providers.0.key`, to the name of its field. */
export const lastStep = (path: string) => path.split(".").at(-1) ?? path;

"use client";

import { Button } from "@mantine/core";
import { FormError } from "@/components/kit/ui/forms/form-error";
import shared from "@/components/kit/ui/shared.module.css";

type SaveOrDiscardProps = {
  form: { isDirty: () => boolean; reset: () => void };
  save: { error: unknown; isPending: boolean };
};

/** The end of a form of settings: an error that belongs to no field, and the buttons once something was changed. */
export function SaveOrDiscard({ form, save }: SaveOrDiscardProps) {
  return (
    <>
      <FormError error={save.error} />
      {form.isDirty() ? (
        <div className={shared.bar}>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
          <Button variant="default" onClick={form.reset}>
            Discard
          </Button>
        </div>
      ) : null}
    </>
  );
}

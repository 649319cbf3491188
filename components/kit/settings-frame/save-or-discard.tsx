"use client";

import { Button } from "@mantine/core";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors } from "@/components/kit/api/field-errors";
import shared from "@/components/kit/ui/shared.module.css";
import classes from "./settings.module.css";

type SaveOrDiscardProps = {
  form: { isDirty: () => boolean; reset: () => void };
  save: { error: unknown; isPending: boolean };
};

/** The end of a form of settings: an error that belongs to no field, and the buttons once something was changed. */
export function SaveOrDiscard({ form, save }: SaveOrDiscardProps) {
  return (
    <>
      {save.error && Object.keys(fieldErrors(save.error)).length === 0 ? (
        <p role="alert" className={classes.error}>
          {toErrorSentence(save.error)}
        </p>
      ) : null}
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

import { useRef } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors } from "@/components/kit/api/field-errors";
import shared from "@/components/kit/ui/shared.module.css";
import { useUnshownErrors } from "./use-unshown-errors";

/** The refusal of a form that names no field, or a field that the form does not show; other refusals of fields stand at the fields. */
export function FormError({ error }: { error: unknown }) {
  const place = useRef<HTMLParagraphElement>(null);
  const messages = Object.values(fieldErrors(error));
  const unshown = useUnshownErrors(messages, () => place.current?.closest("form"));
  if (!error) return null;
  if (messages.length > 0 && unshown.length === 0) return <p ref={place} hidden />;
  return (
    <p ref={place} role="alert" className={shared.errorText}>
      {toErrorSentence(error)}
    </p>
  );
}

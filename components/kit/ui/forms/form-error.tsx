import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { fieldErrors } from "@/components/kit/api/field-errors";
import shared from "../shared.module.css";

/** The refusal of a form that names no field; refusals of fields stand at the fields. */
export function FormError({ error }: { error: unknown }) {
  if (!error || Object.keys(fieldErrors(error)).length > 0) return null;
  return (
    <p role="alert" className={shared.errorText}>
      {toErrorSentence(error)}
    </p>
  );
}

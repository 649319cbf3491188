import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Refusal } from "../outbox/outbox";

/** Reason of the server against the last answer to an approval. */
export function AnswerRefusal({ refusal }: { refusal: Refusal | null }) {
  if (!refusal) return null;
  return (
    <p className={shared.errorText} role="alert">
      <RevealedText text={refusal.detail} />
    </p>
  );
}

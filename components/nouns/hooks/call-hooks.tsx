import { StatusBadge } from "@/components/kit/ui/badges/status-badge";
import shared from "@/components/kit/ui/shared.module.css";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { HookStep } from "@/contracts/hooks/hooks";
import { ChangeList } from "./change-list";
import { eventWords, outcomeWords } from "./hook-words";

/** The hook runs of a call, in order. */
export function CallHooks({ steps }: { steps: readonly HookStep[] }) {
  return (
    <ul className={`${shared.stackClose} ${shared.plainList}`} aria-label="Hooks">
      {steps.map((step, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a call are a record, and a hook may stand in it twice
        <li key={place} className={shared.stackTight}>
          <p className={`${shared.flush} ${shared.inline}`}>
            <span>
              Hook{" "}
              <strong className={`${shared.medium} ${shared.wraps}`}>
                <RevealedText text={step.name} />
              </strong>
            </span>
            <StatusBadge tone={outcomeWords[step.outcome].tone} plain>
              {outcomeWords[step.outcome].word}
            </StatusBadge>
            <span className={shared.dim}>{eventWords[step.event].label}</span>
          </p>
          {step.message ? (
            <p className={`${shared.small} ${shared.wrapping}`}>
              <RevealedText text={step.message} />
            </p>
          ) : null}
          <ChangeList changes={step.changes} />
        </li>
      ))}
    </ul>
  );
}

"use client";

import { Button } from "@mantine/core";
import shared from "@/components/kit/ui/shared.module.css";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import classes from "./bulk-bar.module.css";
import { changedWords, refusalsByReason } from "./bulk-words";
import type { BulkResult } from "./use-change-tools";

type BulkSummaryProps = { result: BulkResult; isPending: boolean; onUndo: () => void; onDismiss: () => void };

const maxNames = 6;

/** Result of a bulk change: changed tools, refused tools with reasons, and undo. */
export function BulkSummary({ result, isPending, onUndo, onDismiss }: BulkSummaryProps) {
  const { changed, refused, change, isUndo } = result;
  return (
    <section className={classes.result} aria-label="Result of the change">
      <div className={classes.resultHeader} role="status">
        <span className={classes.resultWords}>
          {isUndo ? "Undone: " : ""}
          {changedWords(changed.length, change)}
          {refused.length > 0 ? `, ${refused.length} refused` : ""}
        </span>
        {changed.length > 0 && !isUndo ? (
          <Button variant="default" size="compact-sm" loading={isPending} onClick={onUndo}>
            Undo
          </Button>
        ) : null}
        <Button variant="subtle" color="gray" size="compact-sm" onClick={onDismiss}>
          Dismiss
        </Button>
      </div>
      {refused.length > 0 ? (
        <ul className={classes.refused}>
          {refusalsByReason(refused).map(({ reason, tools }) => (
            <li key={reason}>
              <RevealedText text={reason} />{" "}
              <span className={`${shared.dim} ${shared.wraps}`}>
                <CodeText>{tools.slice(0, maxNames).join(", ")}</CodeText>
                {tools.length > maxNames ? ` and ${tools.length - maxNames} more` : ""}
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

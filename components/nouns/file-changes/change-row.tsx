"use client";

import { Anchor, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useState } from "react";
import { useRefusal } from "@/components/kit/session/me";
import { FoldButton } from "@/components/kit/ui/fold-button";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { CodeText } from "@/components/kit/ui/text/code-text";
import { formatBytes } from "@/components/kit/ui/text/format-bytes";
import { RelativeTime } from "@/components/kit/ui/text/relative-time";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import type { FileChange } from "@/contracts/turns/file-changes";
import classes from "./file-changes.module.css";
import { fileChangeQueries } from "./queries";

const kindWords = { created: "Created", changed: "Changed", deleted: "Deleted" } as const;
const stateWords = {
  as_changed: "The file is as this change left it.",
  as_before: "The file is as it was before this change.",
  changed_since: "The file was changed after this change.",
} as const;

type ChangeRowProps = { change: FileChange; ofTurn: string; onRestore: () => void };

/** One change of a file, with its comparison on demand. */
export function ChangeRow({ change, ofTurn, onRestore }: ChangeRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const refusal = useRefusal("turns:write") ?? change.notRestorable;
  const comparisonId = `comparison-${change.id}`;
  return (
    <li className={`${classes.row} ${shared.surface}`}>
      <div className={shared.spread}>
        <div className={`${shared.field} ${shared.shrinks}`}>
          <p className={classes.path}>
            <RevealedText text={change.path} />
          </p>
          <p className={shared.subline}>
            {change.restores ? "Restored" : kindWords[change.kind]} by{" "}
            {change.tool ? <CodeText>{change.tool}</CodeText> : <RevealedText text={change.by.name} />}{" "}
            <RelativeTime at={change.createdAt} />, <span data-numeric>{sizes(change)}</span>
            {change.turnId !== null && change.turnId !== ofTurn ? (
              <>
                {" · "}
                <Anchor component={Link} href={`/turns/${change.turnId}`} size="xs">
                  Its turn
                </Anchor>
              </>
            ) : null}
          </p>
        </div>
        <div className={classes.actions}>
          <FoldButton isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} aria-controls={comparisonId}>
            {isOpen ? "Hide change" : "Show change"}
            <VisuallyHidden component="span">
              {" "}
              of <RevealedText text={change.path} />
            </VisuallyHidden>
          </FoldButton>
          <RefusableButton refusal={refusal} variant="default" size="compact-sm" onClick={onRestore}>
            Restore
            <VisuallyHidden component="span">
              {" "}
              <RevealedText text={change.path} /> as it was before
            </VisuallyHidden>
          </RefusableButton>
        </div>
      </div>
      <div id={comparisonId}>{isOpen ? <Comparison change={change} /> : null}</div>
    </li>
  );
}

function Comparison({ change }: { change: FileChange }) {
  const { data, error, refetch, isRefetching } = useQuery(fileChangeQueries.one(change.conversationId, change.id));
  if (!data && error) return <ErrorState error={error} what="this change" retry={refetch} retrying={isRefetching} />;
  if (!data) return <RowSkeletons rows={1} height={6} what="this change" />;
  const { before, after, state, notShown } = data;
  return (
    <div className={classes.comparison}>
      {before !== null && after !== null ? <DiffView label={`Change of ${change.path}`} before={before} after={after} /> : null}
      <p className={shared.subline}>
        {stateWords[state]} {notShown}
      </p>
    </div>
  );
}

function sizes({ bytesBefore, bytesAfter }: FileChange): string {
  if (bytesBefore === null) return bytesAfter === null ? "" : formatBytes(bytesAfter);
  return bytesAfter === null ? `${formatBytes(bytesBefore)} before` : `${formatBytes(bytesBefore)} → ${formatBytes(bytesAfter)}`;
}

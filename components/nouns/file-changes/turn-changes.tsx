"use client";

import { Button, SegmentedControl } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LoadMore } from "@/components/kit/ui/lists/load-more";
import shared from "@/components/kit/ui/shared.module.css";
import { ErrorState } from "@/components/kit/ui/states/error-state";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import { ChangeRow } from "./change-row";
import classes from "./file-changes.module.css";
import { fileChangeQueries } from "./queries";
import { useRestore } from "./use-restore";

type TurnChangesProps = { conversationId: string; turnId: string; isRunning: boolean };

/** Files that a turn's tools changed, each with its comparison and its restore. Absent for a turn that changed none. */
export default function TurnChanges({ conversationId, turnId, isRunning }: TurnChangesProps) {
  const [isWhole, setIsWhole] = useState(false);
  const ofTurn = useInfiniteQuery(fileChangeQueries.list(conversationId, { turnId, isRunning }));
  const ofAll = useInfiniteQuery({ ...fileChangeQueries.list(conversationId, { turnId: null, isRunning }), enabled: isWhole });
  const { restore, undo, outcome, isBusy } = useRestore(conversationId);
  const list = isWhole ? ofAll : ofTurn;
  const { data, error, refetch, isRefetching } = list;
  const items = data?.pages.flatMap((page) => page.items) ?? [];
  if (!ofTurn.data?.pages.some((page) => page.items.length > 0)) {
    return ofTurn.error ? (
      <ErrorState error={ofTurn.error} what="the changed files" retry={ofTurn.refetch} retrying={ofTurn.isRefetching} />
    ) : null;
  }
  return (
    <section className={classes.section} aria-labelledby="changes-heading">
      <div className={shared.spread}>
        <h2 className={shared.title} id="changes-heading">
          Changed files
        </h2>
        <SegmentedControl
          size="xs"
          aria-label="Changes of"
          value={isWhole ? "conversation" : "turn"}
          onChange={(value) => setIsWhole(value === "conversation")}
          data={[
            { value: "turn", label: "This turn" },
            { value: "conversation", label: "Whole conversation" },
          ]}
        />
      </div>
      <p className={shared.subline}>Of commands, only changes of files that the conversation had not made are recorded.</p>
      <div role="status" className={classes.outcome}>
        {outcome ? (
          <>
            <span>
              <RevealedText text={outcome.message} />
            </span>
            {outcome.undo ? (
              <Button variant="default" size="compact-sm" loading={isBusy} onClick={() => undo(outcome.undo ?? "")}>
                Undo
              </Button>
            ) : null}
          </>
        ) : null}
      </div>
      {error ? <ErrorState error={error} what="the changed files" retry={refetch} retrying={isRefetching} /> : null}
      <ul className={`${shared.stackClose} ${shared.plainList}`} aria-label="Changed files" aria-busy={isWhole && !data}>
        {items.map((change) => (
          <ChangeRow key={change.id} change={change} ofTurn={turnId} onRestore={() => restore(change)} />
        ))}
      </ul>
      <LoadMore query={list} what="changes" />
    </section>
  );
}

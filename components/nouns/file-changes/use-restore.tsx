"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "@/components/kit/api/call";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { confirmAction } from "@/components/kit/ui/overlays/confirm-action";
import { DiffView } from "@/components/nouns/call-views/lazy-views";
import { type FileChange, type FileRestored, fileChangeEndpoints } from "@/contracts/browser/turns/file-changes";
import type { FileChangeComparison } from "@/contracts/turns/file-changes";
import classes from "./file-changes.module.css";
import { fileChangeQueries } from "./queries";

type Outcome = Pick<FileRestored, "message" | "undo">;

/** Restores files after a confirmation that shows what would be lost, and remembers how to undo it. */
export function useRestore(conversationId: string) {
  const client = useQueryClient();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const send = useMutation({
    mutationFn: ({ changeId, force }: { changeId: string; force: boolean }) =>
      call(fileChangeEndpoints.restore, { params: { id: conversationId, changeId }, body: { force } }),
    onSuccess: setOutcome,
    onSettled: () => client.invalidateQueries({ queryKey: fileChangeQueries.all() }),
  });
  const tell = (error: unknown) => setOutcome({ message: toErrorSentence(error), undo: null });

  /** Looks at the file first, because the question depends on whether it was changed since. */
  const restore = async (change: FileChange) => {
    try {
      const comparison = await client.fetchQuery(fileChangeQueries.one(conversationId, change.id));
      if (comparison.state === "as_before") {
        setOutcome({ message: `${change.path} is already as it was before this change.`, undo: null });
        return;
      }
      const force = comparison.state === "changed_since";
      await confirmAction({
        title: `Restore ${change.path}?`,
        children: <Question comparison={comparison} />,
        action: change.kind === "created" ? "Delete file" : force ? "Restore anyway" : "Restore file",
        keep: "Keep as it is",
        onConfirm: () => send.mutateAsync({ changeId: change.id, force }),
      });
    } catch (error) {
      tell(error);
    }
  };
  /** Undoing needs no force: when the file was changed since, the refusal says so. */
  const undo = (changeId: string) => send.mutate({ changeId, force: false }, { onError: tell });
  return { restore, undo, outcome, isBusy: send.isPending };
}

function Question({ comparison: { change, state, before, now } }: { comparison: FileChangeComparison }) {
  const becomes =
    change.kind === "created"
      ? "The file did not exist before this change, so it is deleted."
      : "The file gets the content that it had before this change.";
  return (
    <>
      <p className={classes.question}>
        {state === "changed_since" ? "The file was changed since, and those changes are undone, too. " : ""}
        {becomes} The restore is recorded, so you can undo it.
      </p>
      {before !== null && now !== null ? <DiffView label="The restore makes these changes" before={now} after={before} /> : null}
    </>
  );
}

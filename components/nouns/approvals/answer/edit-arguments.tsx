"use client";

import { useQuery } from "@tanstack/react-query";
import { RowSkeletons } from "@/components/kit/ui/states/row-skeletons";
import { type ArgumentDraft, toArgumentDraft } from "@/components/nouns/call-form/argument-draft";
import { ArgumentForm } from "@/components/nouns/call-form/argument-form";
import { toolQueries } from "@/components/nouns/tools/queries";
import type { Approval } from "@/contracts/approvals/approvals";
import classes from "./edit-arguments.module.css";

/** Focuses the first field, so that letters typed after the key of the editor do not reach other keys. */
const focusFirstField = (fields: HTMLDivElement | null) => fields?.querySelector<HTMLElement>("textarea, input[type=text]")?.focus();

type EditArgumentsProps = {
  approval: Approval;
  /** Null until a person edits the arguments. */
  draft: ArgumentDraft | null;
  onChange: (change: (before: ArgumentDraft | null) => ArgumentDraft) => void;
};

/** Editor for a call's arguments before approval: fields from the tool's schema, or JSON. */
export default function EditArguments({ approval, draft, onChange }: EditArgumentsProps) {
  const tool = useQuery(toolQueries.one(approval.tool.name));
  if (tool.isPending) return <RowSkeletons rows={2} height={4} what="the tool" />;
  return (
    <div className={classes.edit} data-edit-fields ref={focusFirstField}>
      <ArgumentForm
        tool={tool.data ?? null}
        draft={draft ?? toArgumentDraft(approval.arguments)}
        onChange={(change) =>
          onChange((before) => (typeof change === "function" ? change(before ?? toArgumentDraft(approval.arguments)) : change))
        }
      />
    </div>
  );
}

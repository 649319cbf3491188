"use client";

import type { KeyboardEvent } from "react";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { focusAtEnd } from "./focus-at-end";

const maxCommentChars = 2_000;

type CommentFieldProps = {
  label: string;
  placeholder?: string;
  comment: string;
  onChange: (comment: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

/** The approver's words for the model. */
export function CommentField({ comment, onChange, ...field }: CommentFieldProps) {
  return (
    <AutosizeTextarea
      {...field}
      rows={[2, 6]}
      maxLength={maxCommentChars}
      value={comment}
      onChange={(event) => onChange(event.currentTarget.value)}
      ref={focusAtEnd}
    />
  );
}

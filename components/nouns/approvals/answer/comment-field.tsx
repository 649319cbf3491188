"use client";

import { Textarea } from "@mantine/core";
import type { KeyboardEvent } from "react";
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
    <Textarea
      {...field}
      autosize
      minRows={2}
      maxRows={6}
      maxLength={maxCommentChars}
      value={comment}
      onChange={(event) => onChange(event.currentTarget.value)}
      ref={focusAtEnd}
    />
  );
}

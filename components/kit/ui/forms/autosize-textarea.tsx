import { Textarea, type TextareaProps } from "@mantine/core";

type AutosizeTextareaProps = Omit<TextareaProps, "rows"> & {
  /** Number of rows of an empty field, and of the longest text without a scroll bar. */
  rows: readonly [min: number, max?: number];
};

/** A text area that grows with its text. */
export function AutosizeTextarea({ rows: [minRows, maxRows], ...props }: AutosizeTextareaProps) {
  return <Textarea autosize minRows={minRows} {...(maxRows ? { maxRows } : {})} {...props} />;
}

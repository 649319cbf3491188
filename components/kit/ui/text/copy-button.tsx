"use client";

import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { copyText } from "./copy-text";

const shownMs = 1_500;

type CopyButtonProps = {
  /** The text, or a function when only the browser knows it. */
  text: string | (() => string);
  what: string;
  size?: "xs" | "sm" | "md";
};

/** Copies a text to the clipboard; `what` names the text: "Copy command". */
export function CopyButton({ text, what, size = "sm" }: CopyButtonProps) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const label = { idle: `Copy ${what}`, copied: "Copied", refused: "The browser refused; select the text instead" }[state];
  const copy = async () => {
    setState((await copyText(typeof text === "function" ? text() : text)) ? "copied" : "refused");
    setTimeout(() => setState("idle"), shownMs);
  };
  return (
    <Tooltip label={label}>
      <ActionIcon size={size} aria-label={label} onClick={copy}>
        {state === "copied" ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

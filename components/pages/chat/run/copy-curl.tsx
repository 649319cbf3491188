"use client";

import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconTerminal2 } from "@tabler/icons-react";
import { useState } from "react";
import { copyText } from "@/components/kit/ui/text/copy-text";
import type { Run, RunMessage } from "@/contracts/runs/runs";
import { runAsCurl } from "./run-as-curl";

const shownMs = 1_500;

/** Copies the request that would start the same run. */
export function CopyCurl({ run, asked }: { run: Run; asked: RunMessage | null }) {
  const [state, setState] = useState<"idle" | "copied" | "refused">("idle");
  const label = { idle: "Copy as curl", copied: "Copied", refused: "The browser refused the clipboard" }[state];
  const copy = async () => {
    const attachments = asked?.attachments.map(({ path }) => path) ?? [];
    const draft = { message: asked?.text ?? "", conversationId: run.conversationId, ...(attachments.length > 0 ? { attachments } : {}) };
    const isCopied = await copyText(runAsCurl({ agentId: run.agentId, draft, publicUrl: window.location.origin }));
    setState(isCopied ? "copied" : "refused");
    setTimeout(() => setState("idle"), shownMs);
  };
  return (
    <Tooltip label={label}>
      <ActionIcon size="sm" aria-label={label} onClick={() => void copy()}>
        {state === "copied" ? <IconCheck size={14} aria-hidden /> : <IconTerminal2 size={15} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}

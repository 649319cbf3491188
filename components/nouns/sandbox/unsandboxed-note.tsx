"use client";

import { IconShieldOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { MarkedSentence } from "@/components/kit/ui/text/marked-sentence";
import { toolQueries } from "@/components/nouns/tools/queries";
import { sandboxQueries } from "./queries";
import classes from "./unsandboxed-note.module.css";

type UnsandboxedNoteProps = { sandboxed: boolean | undefined; toolName: string };

/** Warning for a call that starts programs without the sandbox: the reason and the remedy. */
export function UnsandboxedNote({ sandboxed, toolName }: UnsandboxedNoteProps) {
  const isUnsandboxed = sandboxed === false;
  const tools = useQuery({ ...toolQueries.list(), enabled: isUnsandboxed });
  const startsPrograms = tools.data?.find(({ name }) => name === toolName)?.needs.includes("shell") ?? false;
  const { data } = useQuery({ ...sandboxQueries.status(), enabled: isUnsandboxed && startsPrograms });
  if (!isUnsandboxed || !startsPrograms) return null;
  return (
    <p className={classes.note}>
      <IconShieldOff size={15} stroke={1.7} aria-hidden />
      <span>
        <MarkedSentence text={data && !data.isOn ? data.sentence : "This call runs without the sandbox."} />
      </span>
    </p>
  );
}

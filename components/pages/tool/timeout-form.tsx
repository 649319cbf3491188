"use client";

import type { Tool } from "@/contracts/tools/tools";
import { OverrideNumberForm } from "./override-number-form";

/** Longest timeout that an admin can set; a tool's own timeout may be longer, because some tools wait for people. */
const maxSeconds = 300;

const secondsOf = ({ timeoutMs }: Tool) => timeoutMs / 1_000;

/** Seconds until a call is stopped: the tool's own timeout, or an override. */
export function TimeoutForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const isOverridden = tool.overrides.timeoutMs !== null;
  const note = secondsOf(tool) > maxSeconds ? "The tool's own" : `At most ${maxSeconds} s`;
  return (
    <OverrideNumberForm
      tool={tool}
      refusal={refusal}
      title="Timeout"
      note={isOverridden ? "Overridden here" : note}
      numberOf={secondsOf}
      patchOf={(seconds) => ({ timeoutMs: seconds === null ? null : Math.round(seconds * 1_000) })}
      isOverridden={isOverridden}
      min={0.1}
      max={maxSeconds}
      field={{ "aria-label": "Timeout in seconds", suffix: " s", decimalScale: 1 }}
      saved="New calls have the new timeout"
      restore="Restore the tool's own"
    />
  );
}

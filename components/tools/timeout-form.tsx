"use client";

import { Button, NumberInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { sentenceOf } from "@/components/api/sentence-of";
import { DisabledReason } from "@/components/ui/disabled-reason";
import type { Tool } from "@/contracts/tools";
import { StoryPart } from "./story-part";
import classes from "./tool-story.module.css";
import { useSaveTool } from "./use-save-tool";

/** Longest time that can be set here; a tool's own may be longer, as for one that waits for people. */
const longestSeconds = 300;

/** Seconds that a call may take before it is stopped: the tool's own, or what an admin put in its place. */
export function TimeoutForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const current = tool.timeoutMs / 1_000;
  const [typed, setTyped] = useState<number | string>(current);
  const save = useSaveTool(tool, "Calls from now on have the new timeout");
  const isOverridden = tool.overrides.timeoutMs !== null;
  const isUsable = typeof typed === "number" && typed >= 0.1 && typed <= longestSeconds;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isUsable) save.mutate({ timeoutMs: Math.round(typed * 1_000) });
  };

  return (
    <StoryPart
      title="Timeout"
      note={`${isOverridden ? "Set here, in place of the tool's own" : "The tool's own"}, at most ${longestSeconds} s can be set`}
      error={null}
    >
      <form className={classes.timeout} onSubmit={submit}>
        <DisabledReason reason={refusal}>
          <NumberInput
            className={classes.timeoutField}
            aria-label="Timeout in seconds"
            suffix=" s"
            min={0.1}
            max={Math.max(longestSeconds, current)}
            decimalScale={1}
            value={typed}
            onChange={setTyped}
            disabled={refusal !== null}
            error={save.isError ? sentenceOf(save.error) : null}
          />
        </DisabledReason>
        {typed === current ? null : (
          <Button type="submit" loading={save.isPending} disabled={!isUsable}>
            Save
          </Button>
        )}
        {isOverridden && refusal === null && typed === current ? (
          <Button
            variant="default"
            loading={save.isPending}
            onClick={() => save.mutate({ timeoutMs: null }, { onSuccess: (saved) => setTyped(saved.timeoutMs / 1_000) })}
          >
            Back to the tool's own
          </Button>
        ) : null}
      </form>
    </StoryPart>
  );
}

"use client";

import { Button, Textarea } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { sentenceOf } from "@/components/api/sentence-of";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { MachineBlock } from "@/components/ui/machine-block";
import type { Tool } from "@/contracts/tools";
import { StoryPart } from "./story-part";
import classes from "./tool-story.module.css";
import { useSaveTool } from "./use-save-tool";

/** The description that the model reads; an admin may put another in its place, and take it away again. */
export function DescriptionForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = useSaveTool(tool, "Models read the new description from their next step on");
  const isOverridden = tool.overrides.description !== null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== null) save.mutate({ description: typed }, { onSuccess: () => setTyped(null) });
  };

  return (
    <StoryPart
      title="Description"
      note={isOverridden ? "Written here, in place of the tool's own" : null}
      error={typed === null ? save.error : null}
    >
      {typed === null ? (
        <>
          <MachineBlock
            label={isOverridden ? "What the model reads" : `What the model reads, as ${tool.sourceName ?? "the tool"} says it`}
            text={tool.description}
            maxLines={8}
          />
          <div className={classes.buttons}>
            <DisabledReason reason={refusal}>
              <Button variant="default" disabled={refusal !== null} onClick={() => setTyped(tool.description)}>
                Write another
              </Button>
            </DisabledReason>
            {isOverridden && refusal === null ? (
              <Button variant="default" loading={save.isPending} onClick={() => save.mutate({ description: null })}>
                Back to the tool's own
              </Button>
            ) : null}
          </div>
        </>
      ) : (
        <form onSubmit={submit}>
          <Textarea
            aria-label="Description that the model reads"
            autosize
            minRows={3}
            maxRows={14}
            maxLength={4_000}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={save.isError ? sentenceOf(save.error) : null}
          />
          <div className={classes.buttons}>
            <Button type="submit" loading={save.isPending} disabled={typed.trim() === "" || typed === tool.description}>
              Save
            </Button>
            <Button variant="default" onClick={() => setTyped(null)}>
              Cancel
            </Button>
          </div>
        </form>
      )}
    </StoryPart>
  );
}

"use client";

import { Switch } from "@mantine/core";
import { sentenceOf } from "@/components/api/sentence-of";
import { DisabledReason } from "@/components/ui/disabled-reason";
import type { Tool } from "@/contracts/tools";
import classes from "./tool-story.module.css";
import { useSaveTool } from "./use-save-tool";

/** Whether results go to the user as they are, past the model. */
export function ReturnDirectForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(
    tool,
    tool.returnDirect ? "The model reads the tool's results again" : "Results go to the user directly from the next call on",
  );
  return (
    <section className={classes.part} aria-labelledby="return-direct-heading">
      <div className={classes.partHeader}>
        <h3 className={classes.partTitle} id="return-direct-heading">
          Result
        </h3>
      </div>
      <DisabledReason reason={refusal}>
        <Switch
          label="Return directly"
          description="The user gets the whole result as it is, and the model reads only that it was shown. Errors go to the model as always."
          checked={save.isPending && save.variables.returnDirect !== undefined ? save.variables.returnDirect : tool.returnDirect}
          disabled={refusal !== null || save.isPending}
          onChange={(event) => save.mutate({ returnDirect: event.currentTarget.checked })}
        />
      </DisabledReason>
      {save.isError ? (
        <p role="alert" className={classes.error}>
          {sentenceOf(save.error)}
        </p>
      ) : null}
    </section>
  );
}

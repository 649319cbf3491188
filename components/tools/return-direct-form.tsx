"use client";

import { Switch } from "@mantine/core";
import { DisabledReason } from "@/components/ui/disabled-reason";
import type { Tool } from "@/contracts/tools";
import { StoryPart } from "./story-part";
import { useSaveTool } from "./use-save-tool";

/** Whether results go to the user as they are, past the model. */
export function ReturnDirectForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(
    tool,
    tool.returnDirect ? "The model reads the tool's results again" : "Results go to the user directly from the next call on",
  );
  return (
    <StoryPart title="Result" error={save.error}>
      <DisabledReason reason={refusal}>
        <Switch
          label="Return directly"
          description="The user gets the whole result as it is, and the model reads only that it was shown. Errors go to the model as always."
          checked={save.isPending && save.variables.returnDirect !== undefined ? save.variables.returnDirect : tool.returnDirect}
          disabled={refusal !== null || save.isPending}
          onChange={(event) => save.mutate({ returnDirect: event.currentTarget.checked })}
        />
      </DisabledReason>
    </StoryPart>
  );
}

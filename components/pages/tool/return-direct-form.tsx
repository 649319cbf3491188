"use client";

import { Switch } from "@mantine/core";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import type { Tool } from "@/contracts/tools/tools";
import { useSaveTool } from "./use-save-tool";

/** Setting that sends results to the user instead of the model. */
export function ReturnDirectForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(tool, tool.returnDirect ? "Results go to the model again" : "Results go to the user from the next call on");
  return (
    <DetailsSection title="Result" error={save.error}>
      <DisabledReason reason={refusal}>
        <Switch
          label="Return directly"
          description="The user gets the result unchanged; the model learns only that it was shown. Errors still go to the model."
          checked={save.isPending && save.variables.returnDirect !== undefined ? save.variables.returnDirect : tool.returnDirect}
          disabled={refusal !== null || save.isPending}
          onChange={(event) => save.mutate({ returnDirect: event.currentTarget.checked })}
        />
      </DisabledReason>
    </DetailsSection>
  );
}

"use client";

import { Select } from "@mantine/core";
import { DisabledReason } from "@/components/ui/disabled-reason";
import { type Tool, toolSurfaces } from "@/contracts/tools";
import { StoryPart } from "./story-part";
import { useSaveTool } from "./use-save-tool";

const words: Record<Tool["surface"], string> = {
  natural: "Natural: models see it and call it",
  escalate: "Escalate: only through core_execute",
};

/** Whether models may call the tool themselves, why, and the way to decide otherwise. */
export function SurfaceForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(tool, "The surface of the tool was changed");
  return (
    <StoryPart title="Surface" error={save.error}>
      <DisabledReason reason={refusal}>
        <Select
          aria-label="Surface"
          description={`${words[tool.surface]}. ${tool.surfaceReason}`}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[
            { value: "name", label: "As its name and its source say" },
            ...toolSurfaces.map((value) => ({ value, label: words[value] })),
          ]}
          value={tool.overrides.surface ?? "name"}
          allowDeselect={false}
          disabled={refusal !== null || save.isPending}
          onChange={(value) => save.mutate({ surface: toolSurfaces.find((surface) => surface === value) ?? null })}
        />
      </DisabledReason>
    </StoryPart>
  );
}

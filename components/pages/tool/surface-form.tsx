"use client";

import { Select } from "@mantine/core";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import { type Tool, toolSurfaces } from "@/contracts/browser/tools/tools";
import { useSaveTool } from "./use-save-tool";

const words: Record<Tool["surface"], string> = {
  natural: "Direct: models call it",
  escalate: "Escalated: only through the delegate",
};

/** Whether models may call the tool directly, the reason, and an override. */
export function SurfaceForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(tool, "Exposure changed");
  return (
    <DetailsSection title="Exposure" error={save.error}>
      <DisabledReason reason={refusal}>
        <Select
          aria-label="Exposure"
          description={spellHidden(`${words[tool.surface]}. ${tool.surfaceReason}`)}
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[{ value: "name", label: "Automatic" }, ...toolSurfaces.map((value) => ({ value, label: words[value] }))]}
          value={tool.overrides.surface ?? "name"}
          allowDeselect={false}
          disabled={refusal !== null || save.isPending}
          onChange={(value) => save.mutate({ surface: toolSurfaces.find((surface) => surface === value) ?? null })}
        />
      </DisabledReason>
    </DetailsSection>
  );
}

"use client";

import { Select } from "@mantine/core";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import { effectWords } from "@/components/nouns/tools/effect-words";
import { type Tool, toolEffects } from "@/contracts/browser/tools/tools";
import { useSaveTool } from "./use-save-tool";

const byItsSource = "source";

/** The strongest effect of the tool: the source's claim, or an admin's override. */
export function EffectForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(tool, "Effect saved");
  return (
    <DetailsSection title="Effect" error={save.error}>
      <DisabledReason reason={refusal}>
        <Select
          aria-label="Effect"
          description={
            tool.source === "mcp"
              ? "A server's own value is only a hint. The guard uses the effect chosen here."
              : "The guard's default uses the effect chosen here instead of each call's own effects."
          }
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[
            { value: byItsSource, label: tool.source === "mcp" ? "As declared by the server" : "As declared by the tool" },
            ...toolEffects.map((value) => ({ value, label: effectWords[value].does })),
          ]}
          value={tool.overrides.effect ?? byItsSource}
          allowDeselect={false}
          disabled={refusal !== null || save.isPending}
          onChange={(value) => save.mutate({ effect: toolEffects.find((effect) => effect === value) ?? null })}
        />
      </DisabledReason>
    </DetailsSection>
  );
}

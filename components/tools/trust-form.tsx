"use client";

import { Select } from "@mantine/core";
import { DisabledReason } from "@/components/ui/disabled-reason";
import type { Tool } from "@/contracts/tools";
import { StoryPart } from "./story-part";
import { trustChoices, trustClassOf } from "./trust-words";
import { useSaveTool } from "./use-save-tool";

const everybody = "everybody";

/** Who may call the tool, by the trust class of the key that they come with. */
export function TrustForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(tool, "Who may call the tool was changed");
  return (
    <StoryPart title="Callers" error={save.error}>
      <DisabledReason reason={refusal}>
        <Select
          aria-label="Callers"
          description="Only callers of this trust class or a higher one; the class belongs to the API key (Settings). Others are denied, whatever rules say."
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[{ value: everybody, label: "Everybody who may call tools" }, ...trustChoices]}
          value={tool.requiredTrust ?? everybody}
          allowDeselect={false}
          disabled={refusal !== null || save.isPending}
          onChange={(value) => save.mutate({ requiredTrust: trustClassOf(value) })}
        />
      </DisabledReason>
    </StoryPart>
  );
}

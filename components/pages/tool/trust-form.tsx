"use client";

import { Select } from "@mantine/core";
import { DisabledReason } from "@/components/kit/ui/forms/disabled-reason";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import { parseTrustClass, trustChoices } from "@/components/nouns/tools/trust-words";
import type { Tool } from "@/contracts/tools/tools";
import { useSaveTool } from "./use-save-tool";

const everybody = "everybody";

/** Lowest trust class of keys that may call the tool. */
export function TrustForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const save = useSaveTool(tool, "Callers changed");
  return (
    <DetailsSection title="Callers" error={save.error}>
      <DisabledReason reason={refusal}>
        <Select
          aria-label="Callers"
          description="Keys of a lower trust class are denied, whatever rules say. Settings shows the class of each key."
          inputWrapperOrder={["label", "input", "description", "error"]}
          data={[{ value: everybody, label: "Every key that may call tools" }, ...trustChoices]}
          value={tool.requiredTrust ?? everybody}
          allowDeselect={false}
          disabled={refusal !== null || save.isPending}
          onChange={(value) => save.mutate({ requiredTrust: parseTrustClass(value) })}
        />
      </DisabledReason>
    </DetailsSection>
  );
}

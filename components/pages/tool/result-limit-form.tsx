"use client";

import shared from "@/components/kit/ui/shared.module.css";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import { resultChars } from "@/contracts/browser/tools/result-settings";
import type { Tool } from "@/contracts/tools/tools";
import { OverrideNumberForm } from "./override-number-form";

/** Characters of a result that the model reads: the limit of the workspace, or an override. */
export function ResultLimitForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  if (tool.resultLimit === null) {
    return (
      <DetailsSection title="Result limit" error={null}>
        <p className={shared.small}>No limit: this tool pages its own results</p>
      </DetailsSection>
    );
  }
  const isOverridden = tool.overrides.resultLimit !== null;
  return (
    <OverrideNumberForm
      tool={tool}
      refusal={refusal}
      title="Result limit"
      note={
        isOverridden ? "Overrides the limit of the workspace" : "The workspace's limit, from Settings. A longer result becomes an artifact"
      }
      numberOf={({ resultLimit }) => resultLimit ?? resultChars.max}
      patchOf={(resultLimit) => ({ resultLimit })}
      isOverridden={isOverridden}
      min={resultChars.min}
      max={resultChars.max}
      field={{
        "aria-label": "Result limit in characters",
        suffix: " chars",
        step: 1_000,
        allowDecimal: false,
        thousandSeparator: ",",
      }}
      saved="New calls have the new limit"
      restore="Restore the workspace's limit"
    />
  );
}

"use client";

import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { toErrorSentence } from "@/components/kit/api/error-sentence";
import { AutosizeTextarea } from "@/components/kit/ui/forms/autosize-textarea";
import { InlineFormButtons } from "@/components/kit/ui/forms/form-buttons";
import { RefusableButton } from "@/components/kit/ui/forms/refusable-button";
import { CodeBlock } from "@/components/kit/ui/text/code-block";
import { DetailsSection } from "@/components/nouns/tools/details-section";
import type { Tool } from "@/contracts/tools/tools";
import classes from "./tool-details.module.css";
import { useSaveTool } from "./use-save-tool";

/** The description that the model reads; an admin may override it and remove the override. */
export function DescriptionForm({ tool, refusal }: { tool: Tool; refusal: string | null }) {
  const [typed, setTyped] = useState<string | null>(null);
  const save = useSaveTool(tool, "Models get the new description with their next request");
  const isOverridden = tool.overrides.description !== null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed !== null) save.mutate({ description: typed }, { onSuccess: () => setTyped(null) });
  };

  return (
    <DetailsSection title="Description" note={isOverridden ? "Overridden here" : null} error={typed === null ? save.error : null}>
      {typed === null ? (
        <>
          <CodeBlock
            label={isOverridden ? "Description sent to the model" : `Description sent to the model, from ${tool.sourceName ?? "the tool"}`}
            text={tool.description}
            maxLines={8}
          />
          <div className={classes.buttons}>
            <RefusableButton refusal={refusal} variant="default" onClick={() => setTyped(tool.description)}>
              Override description
            </RefusableButton>
            {isOverridden && refusal === null ? (
              <Button variant="default" loading={save.isPending} onClick={() => save.mutate({ description: null })}>
                Restore the tool's own
              </Button>
            ) : null}
          </div>
        </>
      ) : (
        <form onSubmit={submit}>
          <AutosizeTextarea
            aria-label="Description sent to the model"
            rows={[3, 14]}
            maxLength={4_000}
            data-autofocus
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            error={save.isError ? toErrorSentence(save.error) : null}
          />
          <InlineFormButtons
            submit="Save"
            isSaving={save.isPending}
            disabled={typed.trim() === "" || typed === tool.description}
            onCancel={() => setTyped(null)}
          />
        </form>
      )}
    </DetailsSection>
  );
}

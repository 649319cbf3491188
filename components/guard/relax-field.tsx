"use client";

import { MultiSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { machineTyping } from "@/components/ui/machine-typing";
import { familiesOf } from "./detector-families";
import { guardQueries } from "./queries";
import type { RuleForm } from "./rule-draft";

/** The detectors whose findings decide nothing about the calls that a rule decides. */
export function RelaxField({ form, readOnly }: { form: UseFormReturnType<RuleForm>; readOnly: boolean }) {
  const { data } = useQuery(guardQueries.detectors());
  const { verdict, relaxes } = form.values;
  const relaxable = (data?.items ?? []).filter((detector) => detector.relaxable);
  const wrong = Object.entries(form.errors).find(([path]) => path === "relaxes" || path.startsWith("relaxes."));
  return (
    <MultiSelect
      label="Detectors"
      description={
        verdict === "deny"
          ? "A rule that denies relaxes nothing"
          : "What they find in these calls is noted, and no longer decides. The hard floor stays, and of a command every part must match"
      }
      inputWrapperOrder={["label", "input", "description", "error"]}
      placeholder={relaxes.length > 0 ? "" : "None"}
      {...machineTyping}
      data={familiesOf(relaxable, "").map(({ heading, detectors }) => ({ group: heading, items: detectors.map(({ id }) => id) }))}
      renderOption={({ option }) => {
        const title = relaxable.find(({ id }) => id === option.value)?.title;
        return title ? `${option.value}: ${title}` : option.value;
      }}
      searchable
      clearable
      readOnly={readOnly}
      {...form.getInputProps("relaxes")}
      error={wrong?.[1]}
    />
  );
}

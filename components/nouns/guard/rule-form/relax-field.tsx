"use client";

import { MultiSelect } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import { toDetectorFamilies } from "../detectors/detector-families";
import { guardQueries } from "../queries";
import type { RuleForm } from "./rule-draft";

/** The detectors whose findings a rule overlooks. */
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
          ? "Deny rules relax no detectors"
          : "Their findings in these calls are noted and no longer decide. The hard floor stays, and every part of a command must match"
      }
      inputWrapperOrder={["label", "input", "description", "error"]}
      placeholder={relaxes.length > 0 ? "" : "None"}
      {...codeInputProps}
      data={toDetectorFamilies(relaxable, "").map(({ heading, detectors }) => ({ group: heading, items: detectors.map(({ id }) => id) }))}
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

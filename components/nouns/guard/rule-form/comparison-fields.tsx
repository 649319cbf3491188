"use client";

import { ActionIcon, Autocomplete, Select, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { IconTrash } from "@tabler/icons-react";
import { AddRowButton } from "@/components/kit/ui/forms/add-row-button";
import { codeInputProps } from "@/components/kit/ui/forms/code-input-props";
import fields from "@/components/kit/ui/forms/fields.module.css";
import { comparisonOperators } from "@/contracts/browser/guard/rule-conditions";
import { emptyComparison, takesValue } from "./comparison-form";
import type { RuleForm } from "./rule-draft";
import classes from "./rule-fields.module.css";

const operatorChoices = comparisonOperators.map((value) => ({ value, label: value }));

/** Fields for conditions on arguments; all conditions must hold. */
export function ComparisonFields({ form, choices, readOnly }: { form: UseFormReturnType<RuleForm>; choices: string[]; readOnly: boolean }) {
  return (
    <fieldset className={fields.group}>
      <legend className={fields.legend}>Comparisons</legend>
      {form.values.comparisons.map(({ operator }, place) => {
        const key = place; // Rows have no id, so their position is the key.
        const number = place + 1;
        return (
          <div key={key} className={classes.comparison}>
            <Autocomplete
              aria-label={`Argument of comparison ${number}`}
              placeholder="amount"
              {...codeInputProps}
              data={choices}
              readOnly={readOnly}
              {...form.getInputProps(`comparisons.${place}.parameter`)}
            />
            <Select
              aria-label={`Operator of comparison ${number}`}
              data={operatorChoices}
              allowDeselect={false}
              readOnly={readOnly}
              {...form.getInputProps(`comparisons.${place}.operator`)}
            />
            {takesValue(operator) ? (
              <TextInput
                aria-label={`Value of comparison ${number}`}
                placeholder={operator === "in" || operator === "not in" ? "EUR, USD" : "100"}
                {...codeInputProps}
                readOnly={readOnly}
                {...form.getInputProps(`comparisons.${place}.value`)}
              />
            ) : (
              <span />
            )}
            <ActionIcon
              aria-label={`Remove comparison ${number}`}
              disabled={readOnly}
              onClick={() => form.removeListItem("comparisons", place)}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        );
      })}
      <AddRowButton
        disabled={readOnly || form.values.comparisons.length >= 20}
        onClick={() => form.insertListItem("comparisons", emptyComparison)}
      >
        Compare an argument
      </AddRowButton>
    </fieldset>
  );
}

"use client";

import { MultiSelect, NumberInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { IntegerInput } from "@/components/kit/ui/forms/integer-input";
import { spellHidden } from "@/components/kit/ui/text/reveal-hidden";
import { memberQueries } from "@/components/nouns/members/queries";
import { approverRoles } from "@/contracts/browser/decisions/approvers";
import type { RuleForm } from "./rule-draft";

const roleChoices = approverRoles.map((role) => ({ value: role, label: `Role: ${role}` }));

/** Fields for the eligible approvers of a rule, the quorum and the escalation. */
export function ApproverFields({ form, readOnly }: { form: UseFormReturnType<RuleForm>; readOnly: boolean }) {
  // A person who may not list users sees the rule's users by id.
  const { data } = useQuery({ ...memberQueries.list(), retry: false });
  const { approvers, verdict } = form.values;
  const known = (data?.items ?? []).map(({ id, name, email }) => ({ value: id, label: spellHidden(`${name} (${email})`) }));
  const unknown = [...approvers.users, ...approvers.escalateUsers].filter((id) => !known.some(({ value }) => value === id));
  const choices = [
    { group: "Roles", items: roleChoices },
    { group: "People", items: [...known, ...[...new Set(unknown)].map((id) => ({ value: id, label: id }))] },
  ];
  const people = (roles: "roles" | "escalateRoles", users: "users" | "escalateUsers") => ({
    data: choices,
    searchable: true,
    clearable: true,
    readOnly,
    value: [...approvers[roles], ...approvers[users]],
    onChange: (values: string[]) => {
      const isRole = (value: string) => roleChoices.some((choice) => choice.value === value);
      form.setFieldValue("approvers", {
        ...approvers,
        [roles]: values.filter(isRole),
        [users]: values.filter((value) => !isRole(value)),
      });
    },
  });
  const errorAt = (part: string) => form.errors[`approvers.${part}`];
  return (
    <>
      <MultiSelect
        label="Approvers"
        description={
          verdict === "require_approval" ? "Empty: everyone who may decide approvals" : "Only rules that require approval have approvers"
        }
        inputWrapperOrder={["label", "input", "description", "error"]}
        error={errorAt("users") ?? form.errors.approvers}
        {...people("roles", "users")}
      />
      <IntegerInput
        label="Approvals needed"
        description="From different people; one rejection is enough"
        inputWrapperOrder={["label", "input", "description", "error"]}
        range={[1, 10]}
        readOnly={readOnly}
        error={errorAt("quorum")}
        {...form.getInputProps("approvers.quorum")}
      />
      <NumberInput
        label="Escalate after (minutes)"
        description="Empty: never"
        inputWrapperOrder={["label", "input", "description", "error"]}
        min={1}
        max={10_080}
        readOnly={readOnly}
        {...form.getInputProps("approvers.escalateAfterMinutes")}
      />
      {approvers.escalateAfterMinutes === "" ? null : (
        <MultiSelect
          label="Additional approvers"
          inputWrapperOrder={["label", "input", "description", "error"]}
          error={errorAt("escalation")}
          {...people("escalateRoles", "escalateUsers")}
        />
      )}
    </>
  );
}

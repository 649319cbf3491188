"use client";

import { useForm } from "@mantine/form";
import { useState } from "react";
import { fieldErrors } from "@/components/api/field-errors";
import { useRefusal } from "@/components/shell/me";
import { EditorDrawer } from "@/components/ui/editor-drawer";
import type { GuardRule } from "@/contracts/guard";
import type { Tool } from "@/contracts/tools";
import { describable, emptyForm, formOf, otherwiseDraft, parseForm, type RuleForm } from "./rule-draft";
import { RuleFields } from "./rule-fields";
import { RulePreviewPanel } from "./rule-preview-panel";
import { RuleSentence } from "./rule-sentence";
import { useSaveRule } from "./use-change-guard";
import { isUsable, useRulePreview, useRuleSimulation } from "./use-rule-preview";

type RuleEditorProps = {
  /** The rule that is changed; null for a new one. */
  rule: GuardRule | null;
  /** What a new rule starts from. */
  start?: Partial<RuleForm>;
  rules: readonly GuardRule[];
  tools: readonly Tool[];
  onClose: () => void;
};

/** Writes a rule, and shows while it is written what it would have done to the last calls. */
export function RuleEditor({ rule, start, rules, tools, onClose }: RuleEditorProps) {
  const forbidden = useRefusal("guard:write");
  const refusal = rule?.source === "file" ? "This rule comes from the policy file and is changed only there." : forbidden;
  const save = useSaveRule();
  const [initial] = useState<RuleForm>(() => (rule ? formOf(rule) : { ...emptyForm(rules), ...start }));
  const form = useForm<RuleForm>({ mode: "controlled", initialValues: initial, validate: (values) => parseForm(values).errors ?? {} });
  // A rule of the policy file is not one that a draft could replace.
  const savedId = rule?.source === "workspace" ? rule.id : null;
  const previewing = useRulePreview(form.values, savedId);
  const simulation = useRuleSimulation(form.values, { id: savedId, isUsable: rule?.source !== "file" && isUsable(previewing) });
  const submit = form.onSubmit((values) => {
    const { draft } = parseForm(values);
    if (!draft) return;
    save.mutate(
      { saved: rule, draft, otherwise: rule ? null : otherwiseDraft(values, draft) },
      { onSuccess: onClose, onError: (error) => form.setErrors(fieldErrors(error)) },
    );
  });

  return (
    <EditorDrawer
      title={rule ? "Rule" : "New rule"}
      sentence={
        form.values.tool.trim() ? (
          <>
            <RuleSentence rule={describable(form.values)} tools={tools} />.
          </>
        ) : (
          "Choose a tool, and the rule stands here in words."
        )
      }
      aside={<RulePreviewPanel previewing={previewing} pattern={form.values.pattern} simulation={simulation} />}
      refusal={refusal}
      isDirty={form.isDirty()}
      loss="What you changed in this rule is lost."
      error={save.error}
      isSaving={save.isPending}
      action={rule ? "Save" : "Add the rule"}
      onSubmit={submit}
      onClose={onClose}
    >
      <RuleFields form={form} tools={tools} rules={rules} ruleId={rule?.id ?? null} previewing={previewing} readOnly={refusal !== null} />
    </EditorDrawer>
  );
}

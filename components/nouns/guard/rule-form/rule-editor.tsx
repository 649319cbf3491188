"use client";

import { useForm } from "@mantine/form";
import { useState } from "react";
import { fieldErrors } from "@/components/kit/api/field-errors";
import { useRefusal } from "@/components/kit/session/me";
import { EditorDrawer } from "@/components/kit/ui/overlays/editor-drawer";
import type { GuardRule } from "@/contracts/guard/guard";
import type { Tool } from "@/contracts/tools/tools";
import { RuleSentence } from "../rule-sentence";
import { useSaveRule } from "../use-change-guard";
import { describable, emptyForm, otherwiseDraft, parseForm, type RuleForm, toRuleForm } from "./rule-draft";
import { RuleFields } from "./rule-fields";
import { RulePreviewPanel } from "./rule-preview-panel";
import { isUsable, useRulePreview, useRuleSimulation } from "./use-rule-preview";

type RuleEditorProps = {
  /** The edited rule; null for a new one. */
  rule: GuardRule | null;
  /** Initial values of a new rule. */
  start?: Partial<RuleForm>;
  rules: readonly GuardRule[];
  tools: readonly Tool[];
  onClose: () => void;
};

/** Edits a rule, and previews its effect on the last calls while the person types. */
export function RuleEditor({ rule, start, rules, tools, onClose }: RuleEditorProps) {
  const forbidden = useRefusal("guard:write");
  const refusal = rule?.source === "file" ? "This rule comes from the policy file and is changed only there." : forbidden;
  const save = useSaveRule();
  const [initial] = useState<RuleForm>(() => (rule ? toRuleForm(rule) : { ...emptyForm(rules), ...start }));
  const form = useForm<RuleForm>({ mode: "controlled", initialValues: initial, validate: (values) => parseForm(values).errors ?? {} });
  // A draft can replace only a rule of the workspace, not one of the policy file.
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
          "Choose a tool to see the rule in words."
        )
      }
      aside={<RulePreviewPanel previewing={previewing} pattern={form.values.pattern} simulation={simulation} />}
      refusal={refusal}
      isDirty={form.isDirty()}
      loss="Your changes to this rule are lost."
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

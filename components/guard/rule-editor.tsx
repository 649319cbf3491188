"use client";

import { Button, Drawer } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { isApiProblem } from "@/components/api/api-problem";
import { sentenceOf } from "@/components/api/sentence-of";
import { useRefusal } from "@/components/shell/me";
import { confirmAction } from "@/components/ui/confirm-action";
import { DisabledReason } from "@/components/ui/disabled-reason";
import type { GuardRule } from "@/contracts/guard";
import type { Tool } from "@/contracts/tools";
import { describable, emptyForm, formOf, otherwiseDraft, parseForm, type RuleForm } from "./rule-draft";
import classes from "./rule-editor.module.css";
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
  const close = () => {
    if (!form.isDirty() || refusal !== null) return onClose();
    confirmAction({
      title: "Leave without saving?",
      children: "What you changed in this rule is lost.",
      action: "Leave",
      onConfirm: async () => onClose(),
    });
  };
  const submit = form.onSubmit((values) => {
    const { draft } = parseForm(values);
    if (!draft) return;
    save.mutate(
      { saved: rule, draft, otherwise: rule ? null : otherwiseDraft(values, draft) },
      { onSuccess: onClose, onError: (error) => form.setErrors(fieldErrors(error)) },
    );
  });

  return (
    <Drawer.Root opened onClose={close} position="right" size="66rem" classNames={{ content: classes.content }}>
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content>
        <Drawer.Header className={classes.header} role="presentation">
          <Drawer.Title className={classes.title}>{rule ? "Rule" : "New rule"}</Drawer.Title>
          <Drawer.CloseButton aria-label="Close" />
        </Drawer.Header>
        <Drawer.Body className={classes.body}>
          <form onSubmit={submit} className={classes.columns} noValidate>
            <div className={classes.fields}>
              <p className={classes.sentence} aria-live="polite">
                {form.values.tool.trim() ? (
                  <>
                    <RuleSentence rule={describable(form.values)} tools={tools} />.
                  </>
                ) : (
                  "Choose a tool, and the rule stands here in words."
                )}
              </p>
              <RuleFields
                form={form}
                tools={tools}
                rules={rules}
                ruleId={rule?.id ?? null}
                previewing={previewing}
                readOnly={refusal !== null}
              />
            </div>
            <RulePreviewPanel previewing={previewing} pattern={form.values.pattern} simulation={simulation} />
            <div className={classes.footer}>
              {save.error ? (
                <p className={classes.error} role="alert">
                  {sentenceOf(save.error)}
                </p>
              ) : null}
              <Button variant="default" onClick={close}>
                {refusal === null ? "Cancel" : "Close"}
              </Button>
              <DisabledReason reason={refusal}>
                <Button type="submit" loading={save.isPending} disabled={refusal !== null}>
                  {rule ? "Save" : "Add the rule"}
                </Button>
              </DisabledReason>
            </div>
          </form>
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

/** What the API says about single fields. */
function fieldErrors(error: unknown): Record<string, string> {
  if (!isApiProblem(error)) return {};
  return Object.fromEntries((error.problem.errors ?? []).map(({ path, message }) => [path, message]));
}

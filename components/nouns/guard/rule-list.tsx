"use client";

import { useRefusal } from "@/components/kit/session/me";
import { VerdictBadge } from "@/components/kit/ui/badges/verdict-badge";
import { OrderedList, OrderedRest } from "@/components/kit/ui/lists/ordered-list";
import { offerUndo } from "@/components/kit/ui/overlays/offer-undo";
import { useSandboxOn } from "@/components/nouns/sandbox/use-sandbox-on";
import type { Verdict } from "@/contracts/decisions/decision";
import type { GuardConfig, ListedRule } from "@/contracts/guard/guard";
import type { Tool } from "@/contracts/tools/tools";
import { policyWords } from "./policy-words";
import { draftOf } from "./rule-form/draft-of-rule";
import { RuleRow } from "./rule-row";
import { useOrderRules, useRemoveRule, useSwitchRule } from "./use-change-guard";
import { useChangePreview } from "./use-change-preview";

type RuleListProps = { rules: readonly ListedRule[]; tools: readonly Tool[]; config: GuardConfig; onOpen: (id: string) => void };

const policyVerdicts: Record<GuardConfig["defaultPolicy"], Verdict> = {
  by_effect: "require_approval",
  allow: "allow",
  deny: "deny",
  require_approval: "require_approval",
};

const ofFile = "This rule comes from the policy file and is changed only there.";

/** The rules in their order, and the default policy. */
export function RuleList({ rules, tools, config, onOpen }: RuleListProps) {
  const refusal = useRefusal("guard:write");
  const isSandboxOn = useSandboxOn();
  const order = useOrderRules();
  const switching = useSwitchRule();
  const { remove, restore } = useRemoveRule();

  const whatIf = useChangePreview();

  const reorder = (moved: readonly ListedRule[]) =>
    whatIf({
      title: "Change the order?",
      action: "Change the order",
      change: { kind: "order", ids: moved.map((rule) => rule.id) },
      onConfirm: () => order.mutateAsync({ ordered: moved, from: rules }),
    });
  const removeWithUndo = (rule: ListedRule) =>
    whatIf({
      title: `Remove the rule “${rule.name}”?`,
      action: "Remove",
      change: { kind: "remove", id: rule.id },
      onConfirm: async () => {
        await remove.mutateAsync(rule);
        offerUndo(`The rule “${rule.name}” was removed`, () => restore.mutate(rule));
      },
    });
  const switchRule = (rule: ListedRule, enabled: boolean) =>
    whatIf({
      title: enabled ? `Switch “${rule.name}” on?` : `Switch “${rule.name}” off?`,
      action: enabled ? "Switch on" : "Switch off",
      change: { kind: "save", rule: { ...draftOf(rule), enabled }, id: rule.id, otherwise: null },
      onConfirm: () => switching.mutateAsync({ rule, enabled }),
    });

  return (
    <OrderedList
      items={rules}
      label="Rules in the order in which they are tried"
      leadWidth="4.75rem"
      isOff={!config.enabled}
      onOrder={reorder}
      row={(rule, rowOrder) => (
        <RuleRow
          key={rule.id}
          rule={rule}
          rules={rules}
          order={rowOrder}
          tools={tools}
          refusal={rule.source === "file" ? ofFile : refusal}
          onOpen={() => onOpen(rule.id)}
          onSwitch={(enabled) => switchRule(rule, enabled)}
          onRemove={() => removeWithUndo(rule)}
        />
      )}
    >
      <OrderedRest
        lead={<VerdictBadge verdict={policyVerdicts[config.defaultPolicy]} />}
        name={rules.length > 0 ? "Everything else" : "Every call"}
        notes={policyWords(config.defaultPolicy, isSandboxOn).meaning}
      />
    </OrderedList>
  );
}

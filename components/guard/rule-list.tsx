"use client";

import { useState } from "react";
import { useRefusal } from "@/components/shell/me";
import { VerdictBadge } from "@/components/ui/verdict-badge";
import type { GuardConfig, GuardRule, Verdict } from "@/contracts/guard";
import type { Tool } from "@/contracts/tools";
import { moveRule } from "./move-rule";
import { offerUndo } from "./offer-undo";
import { policyWords } from "./policy-words";
import { draftOf } from "./rule-draft";
import classes from "./rule-list.module.css";
import { RuleRow } from "./rule-row";
import { useOrderRules, useRemoveRule, useSwitchRule } from "./use-change-guard";
import { useWhatIf } from "./use-what-if";

type RuleListProps = { rules: readonly GuardRule[]; tools: readonly Tool[]; config: GuardConfig; onOpen: (id: string) => void };

const policyVerdicts: Record<GuardConfig["defaultPolicy"], Verdict> = {
  by_effect: "require_approval",
  allow: "allow",
  deny: "deny",
  require_approval: "require_approval",
};

const ofFile = "This rule comes from the policy file and is changed only there.";

/** The rules in the order in which they are tried, and what happens when none of them matches. */
export function RuleList({ rules, tools, config, onOpen }: RuleListProps) {
  const refusal = useRefusal("guard:write");
  const order = useOrderRules();
  const switching = useSwitchRule();
  const { remove, restore } = useRemoveRule();
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);

  const whatIf = useWhatIf();

  const move = (id: string, to: number) => {
    const moved = moveRule(rules, id, to);
    if (moved === rules) return;
    whatIf({
      title: "Change the order?",
      action: "Change the order",
      change: { kind: "order", ids: moved.map((rule) => rule.id) },
      onConfirm: () => order.mutateAsync({ ordered: moved, from: rules }),
    });
  };
  const removeWithUndo = (rule: GuardRule) =>
    whatIf({
      title: `Remove the rule “${rule.name}”?`,
      action: "Remove",
      change: { kind: "remove", id: rule.id },
      onConfirm: async () => {
        await remove.mutateAsync(rule);
        offerUndo({ title: `The rule “${rule.name}” was removed`, onUndo: () => restore.mutateAsync(rule) });
      },
    });
  const switchRule = (rule: GuardRule, enabled: boolean) =>
    whatIf({
      title: enabled ? `Switch “${rule.name}” on?` : `Switch “${rule.name}” off?`,
      action: enabled ? "Switch on" : "Switch off",
      change: { kind: "save", rule: { ...draftOf(rule), enabled }, id: rule.id, otherwise: null },
      onConfirm: () => switching.mutateAsync({ rule, enabled }),
    });
  const drop = (onto: string) => {
    if (dragged)
      move(
        dragged,
        rules.findIndex(({ id }) => id === onto),
      );
    setDragged(null);
    setOver(null);
  };

  return (
    <ol className={classes.list} aria-label="Rules in the order in which they are tried" data-guard-off={!config.enabled || undefined}>
      {rules.map((rule, place) => (
        <RuleRow
          key={rule.id}
          rule={rule}
          place={place}
          count={rules.length}
          tools={tools}
          refusal={rule.source === "file" ? ofFile : refusal}
          isDragged={dragged === rule.id}
          isTarget={over === rule.id && dragged !== rule.id}
          onDrag={setDragged}
          onDragOver={setOver}
          onDrop={() => drop(rule.id)}
          onMove={(to) => move(rule.id, to)}
          onOpen={() => onOpen(rule.id)}
          onSwitch={(enabled) => switchRule(rule, enabled)}
          onRemove={() => removeWithUndo(rule)}
        />
      ))}
      <li className={classes.default}>
        <span className={classes.place} aria-hidden />
        <span className={classes.verdict}>
          <VerdictBadge verdict={policyVerdicts[config.defaultPolicy]} />
        </span>
        <span className={classes.words}>
          <span className={classes.sentence}>{rules.length > 0 ? "Everything else" : "Every call"}</span>
          <span className={classes.name}>{policyWords[config.defaultPolicy].meaning}</span>
        </span>
      </li>
    </ol>
  );
}

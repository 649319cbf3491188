"use client";

import { CodeText } from "@/components/kit/ui/text/code-text";
import { RevealedText } from "@/components/kit/ui/text/revealed-text";
import type { Tool } from "@/contracts/tools/tools";
import { useApproverNames } from "./use-approver-names";
import { describeRule } from "./words/describe-rule";

type RuleSentenceProps = {
  rule: Parameters<typeof describeRule>[0];
  tools: readonly Pick<Tool, "name" | "primaryArgument">[];
};

/** A rule in plain words: "Allow shell_execute when command starts with ls or cat". */
export function RuleSentence({ rule, tools }: RuleSentenceProps) {
  const names = useApproverNames(rule);
  return describeRule(rule, findPrimaryArgument(rule.tool, tools), names).map((phrase, place) => {
    const key = place; // Phrases have no id, so their position is the key.
    return phrase.machine ? (
      <CodeText key={key}>
        <RevealedText text={phrase.text} />
      </CodeText>
    ) : (
      <span key={key}>
        <RevealedText text={phrase.text} />
      </span>
    );
  });
}

/** Returns the primary argument of a tool; null for patterns of tools and tools without one. */
export function findPrimaryArgument(tool: string, tools: readonly Pick<Tool, "name" | "primaryArgument">[]): string | null {
  return tools.find(({ name }) => name === tool)?.primaryArgument ?? null;
}

import { MachineText } from "@/components/ui/machine-text";
import { RevealedText } from "@/components/ui/revealed-text";
import type { Tool } from "@/contracts/tools";
import { describeRule } from "./describe-rule";

type RuleSentenceProps = {
  rule: Parameters<typeof describeRule>[0];
  tools: readonly Pick<Tool, "name" | "primaryArgument">[];
};

/** A rule in plain words: "Allow shell_execute when command starts with ls or cat". */
export function RuleSentence({ rule, tools }: RuleSentenceProps) {
  return describeRule(rule, primaryArgumentOf(rule.tool, tools)).map((phrase, place) => {
    const key = place; // Phrases have no identity but their place.
    return phrase.machine ? (
      <MachineText key={key}>
        <RevealedText text={phrase.text} />
      </MachineText>
    ) : (
      <span key={key}>{phrase.text}</span>
    );
  });
}

/** What a pattern without a parameter sees of a tool's call; null for patterns of tools and tools that have none. */
export function primaryArgumentOf(tool: string, tools: readonly Pick<Tool, "name" | "primaryArgument">[]): string | null {
  return tools.find(({ name }) => name === tool)?.primaryArgument ?? null;
}

import type { Capability } from "@/server/capabilities/define-capability";
import type { FamilyWork } from "@/server/jobs/family-work";
import type { Subscriber } from "@/server/platform/outbox";
import type { PromptHints } from "@/server/platform/prompt-hints";
import type { AnyTool } from "@/server/tools/define-tool";

/** One area of the product: tools with their capabilities, durable work, and settings that the core needs. */
export type Family = Partial<FamilyWork> & {
  /** The family's folder name. */
  name: string;
  tools?: readonly AnyTool[];
  capabilities?: readonly Capability[];
  /** Sentences that name the family's tools, for situations in which the core addresses a model. */
  promptHints?: Partial<PromptHints>;
  /** Delivers events of the core to the outside. */
  subscriber?: Subscriber;
  /** The initial rule of a new workspace on a machine without a sandbox. */
  ruleWithoutSandbox?: FirstRule;
};

export type FirstRule = { name: string; tool: string; pattern: string; verdict: "allow"; reason: string };

export function defineFamily(family: Family): Family {
  return family;
}

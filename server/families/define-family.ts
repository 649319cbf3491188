import type { Glossary } from "@/contracts/define-contract";
import type { AgentObserver } from "@/server/agents/agent-observers";
import type { ApproverChats } from "@/server/approvals/approver-chats";
import type { Capability } from "@/server/capabilities/define-capability";
import type { AnsweredEndpoint } from "@/server/endpoints/answer";
import type { FamilyWork } from "@/server/jobs/family-work";
import type { Variable } from "@/server/platform/define-variable";
import type { Check } from "@/server/platform/extension-points/doctor-checks";
import type { Forgetting } from "@/server/platform/extension-points/forget-person";
import type { HappeningListener } from "@/server/platform/extension-points/happenings";
import type { ResultCarrier } from "@/server/platform/extension-points/ordered-results";
import type { Subscriber } from "@/server/platform/extension-points/outbox";
import type { ProvidedHint } from "@/server/platform/extension-points/prompt-hints";
import type { RunEndListener } from "@/server/platform/extension-points/run-ends";
import type { DocumentReader } from "@/server/retrieval/document-text";
import type { ContextNote } from "@/server/runs/context/context-notes";
import type { ModelHookSource } from "@/server/runs/hooks/model-hooks";
import type { WorkflowStart } from "@/server/runs/starts/workflow-starts";
import type { AnyTool } from "@/server/tools/define-tool";
import type { PromptSection } from "@/server/tools/disclosure/prompt-sections";
import type { StoredToolSource } from "@/server/tools/tool-sources";

/** One area of the product: tools with their capabilities, durable work, and settings that the core needs. */
export type Family = Partial<FamilyWork> & {
  /** The family's folder name. */
  name: string;
  /** Words of the family, where no contract of its nouns has them. */
  glossary?: Glossary;
  /** Endpoints of the contracts that the family answers. */
  endpoints?: readonly AnsweredEndpoint[];
  tools?: readonly AnyTool[];
  capabilities?: readonly Capability[];
  /** Variables of the environment that the family reads: the `environment` of its environment.ts. */
  environment?: readonly Variable[];
  /** A source of tools that are rows. */
  toolSource?: StoredToolSource;
  /** Follows changes of agents in their transaction. */
  agentObserver?: AgentObserver;
  /** Sentences that name the family's tools, for situations in which the core addresses a model. */
  promptHints?: readonly ProvidedHint[];
  /** A text in the system prompt of runs and listings, within its share of the tokens. */
  promptSection?: PromptSection;
  /** Chats in which members get the cards of approvals; one family at most. */
  approverChats?: ApproverChats;
  /** Brings results to the chats where the work was ordered; one family at most. */
  resultCarrier?: ResultCarrier;
  /** Follows messages of chats and ends of workflows, in their transaction. */
  followsHappenings?: HappeningListener;
  /** Starts workflows for other families; one family at most. */
  workflowStart?: WorkflowStart;
  /** Reads the text of documents for all rooms; one family at most. */
  documentReader?: DocumentReader;
  /** Follows up runs that end, in the transaction of the end. */
  runEnded?: RunEndListener;
  /** Erases what the family holds of a person, where that is more than the rows that its tables declare (`declareText`). */
  forgetting?: Forgetting;
  /** Checks of the machine and the settings that the family needs. */
  doctor?: readonly Check[];
  /** Steps that start with the process, in order. They stop in reverse order, after the turns. */
  boot?: readonly BootStep[];
  /** Delivers events of the core to the outside. */
  subscriber?: Subscriber;
  /** Hooks around the requests of runs to their models; one family at most. */
  modelHooks?: ModelHookSource;
  /** What a model must not forget when its conversation is summarised. */
  contextNote?: ContextNote;
  /** The initial rule of a new workspace on a machine without a sandbox. */
  ruleWithoutSandbox?: FirstRule;
};

/** Something that lives as long as the process. */
export type BootStep = {
  /** Names the step when it fails to stop in time. */
  title: string;
  /** Milliseconds that the stop may take; the default of the teardown when absent. */
  limitMs?: number;
  /** The stop ends work of turns: they get the rest of the time to store its outcome. */
  endsWork?: boolean;
  /** @returns how to stop it */
  start: () => Promise<() => Promise<void>>;
};

export type FirstRule = { name: string; tool: string; pattern: string; verdict: "allow"; reason: string };

export function defineFamily(family: Family): Family {
  return family;
}

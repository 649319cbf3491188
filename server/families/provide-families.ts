import { provideAgentObserver } from "@/server/agents/agent-observers";
import { provideApproverChats } from "@/server/approvals/approver-chats";
import { provideDoctorChecks } from "@/server/platform/extension-points/doctor-checks";
import { provideForgetting } from "@/server/platform/extension-points/forget-person";
import { provideHappeningListener } from "@/server/platform/extension-points/happenings";
import { provideResultCarrier } from "@/server/platform/extension-points/ordered-results";
import { subscribe } from "@/server/platform/extension-points/outbox";
import { providePromptHints } from "@/server/platform/extension-points/prompt-hints";
import { provideRunEnd } from "@/server/platform/extension-points/run-ends";
import { provideOwnTools, provideSourceEffects } from "@/server/policy/own-tools";
import { provideDocumentReader } from "@/server/retrieval/document-text";
import { provideContextNote } from "@/server/runs/context/context-notes";
import { provideModelHooks } from "@/server/runs/hooks/model-hooks";
import { provideWorkflowStart } from "@/server/runs/starts/workflow-starts";
import { provideBuiltinTools } from "@/server/tools/builtin-tools";
import { providePromptSection } from "@/server/tools/disclosure/prompt-sections";
import { provideToolSource, type StoredToolSource } from "@/server/tools/tool-sources";
import { type CollectedFamilies, collectFamilies } from "./collect-families";
import { families } from "./index";

/** Provides every family to the core, which names none of them. Returns the parts that the start passes on. */
export function provideFamilies(): CollectedFamilies {
  const collected = collectFamilies(families);
  provideBuiltinTools(collected.tools);
  provideOwnTools(collected.tools);
  providePromptHints(collected.promptHints);
  provideDoctorChecks(collected.doctor);
  for (const {
    name,
    subscriber,
    toolSource,
    modelHooks,
    contextNote,
    agentObserver,
    approverChats,
    resultCarrier,
    forgetting,
    followsHappenings,
    workflowStart,
    runEnded,
    promptSection,
    documentReader,
  } of families) {
    if (contextNote) provideContextNote(name, contextNote);
    if (modelHooks) provideModelHooks(modelHooks);
    if (forgetting) provideForgetting(name, forgetting);
    if (runEnded) provideRunEnd(name, runEnded);
    if (subscriber) subscribe(name, subscriber);
    if (toolSource) provideSource(name, toolSource);
    if (promptSection) providePromptSection(name, promptSection);
    if (documentReader) provideDocumentReader(documentReader);
    if (followsHappenings) provideHappeningListener(name, followsHappenings);
    if (workflowStart) provideWorkflowStart(workflowStart);
    if (resultCarrier) provideResultCarrier(resultCarrier);
    if (approverChats) provideApproverChats(approverChats);
    if (agentObserver) provideAgentObserver(name, agentObserver);
  }
  return collected;
}

function provideSource(family: string, source: StoredToolSource): void {
  provideToolSource(family, source);
  provideSourceEffects(family, async (workspaceId) => {
    const stored = [...(await source.load(workspaceId)).values()];
    return new Map(stored.flatMap(({ tool }) => (tool.effects ? [[tool.name, tool.effects] as const] : [])));
  });
}

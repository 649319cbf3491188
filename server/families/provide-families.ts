import { provideConversationContext } from "@/server/platform/conversation-context";
import { provideDoctorChecks } from "@/server/platform/doctor-checks";
import { subscribe } from "@/server/platform/outbox";
import { providePromptHints } from "@/server/platform/prompt-hints";
import { provideRunEnd } from "@/server/platform/run-ends";
import { provideOwnTools, provideSourceEffects } from "@/server/policy/own-tools";
import { provideBuiltinTools } from "@/server/tools/builtin-tools";
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
  for (const { name, subscriber, toolSource, conversationContext, runEnded } of families) {
    if (runEnded) provideRunEnd(name, runEnded);
    if (conversationContext) provideConversationContext(name, conversationContext);
    if (subscriber) subscribe(name, subscriber);
    if (toolSource) provideSource(toolSource);
  }
  return collected;
}

function provideSource(source: StoredToolSource): void {
  provideToolSource(source);
  provideSourceEffects(source.source, async (workspaceId) => {
    const stored = [...(await source.load(workspaceId)).values()];
    return new Map(stored.flatMap(({ tool }) => (tool.effects ? [[tool.name, tool.effects] as const] : [])));
  });
}

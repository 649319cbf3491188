import { provideDoctorChecks } from "@/server/platform/doctor-checks";
import { subscribe } from "@/server/platform/outbox";
import { providePromptHints } from "@/server/platform/prompt-hints";
import { provideOwnTools } from "@/server/policy/own-tools";
import { provideBuiltinTools } from "@/server/tools/builtin-tools";
import { type CollectedFamilies, collectFamilies } from "./collect-families";
import { families } from "./index";

/** Provides every family to the core, which names none of them. Returns the parts that the start passes on. */
export function provideFamilies(): CollectedFamilies {
  const collected = collectFamilies(families);
  provideBuiltinTools(collected.tools);
  provideOwnTools(collected.tools);
  providePromptHints(collected.promptHints);
  provideDoctorChecks(collected.doctor);
  for (const { name, subscriber } of families) if (subscriber) subscribe(name, subscriber);
  return collected;
}

import type { JsonObject } from "@/contracts/common";
import type { Effect } from "@/contracts/decisions/effects";
import { valueAt } from "@/contracts/lib/json-pointer";

/** Returns the words of the arguments that are an effect's evidence; its target when the evidence is no text. */
export function evidenceWords({ evidence, target }: Effect, args: JsonObject): string {
  const argument = evidence.argument === "" ? undefined : valueAt(args, evidence.argument);
  return typeof argument === "string" ? argument.slice(evidence.start, evidence.end) : (target.path ?? target.host ?? "");
}

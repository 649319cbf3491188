import type { Json, JsonObject } from "@/contracts/common";
import { canonicalJson } from "@/contracts/lib/canonical-json";
import { memoizeLast } from "../memoize-last";
import { type FoundValue, valuesAt } from "./argument-values";
import type { GuardRequest } from "./guard-request";

/** The texts that a rule's patterns are tried on; or why there are none, as part of a sentence. */
export type PatternSubjects = { texts: readonly PatternSubject[] } | { missing: string };

/** A text, and the names and indexes that lead to it; the path is empty for all arguments together. */
export type PatternSubject = { text: string; path: readonly string[] };

/** Memoized, because many rules look at the same arguments. */
const canonicalArguments = memoizeLast((args: JsonObject) => canonicalJson(args));

const everything: readonly string[] = [];

type SubjectSource = Pick<GuardRequest, "tool" | "arguments">;

/**
 * Returns the texts of a call that a rule's patterns see: the named argument, else the tool's primary argument, else
 * all arguments as canonical JSON. Strings stay unchanged; other values become canonical JSON. A rule that does not
 * allow also sees each text of a list, because many tools take one path or several.
 */
export function patternSubjects(
  { tool, arguments: args }: SubjectSource,
  parameter: string | null,
  { isAllow }: { isAllow: boolean },
): PatternSubjects {
  const name = parameter ?? tool.primaryArgument;
  if (name === null) return { texts: [{ text: canonicalArguments(args), path: everything }] };
  const found = valuesAt(args, name);
  if ("missing" in found) return found;
  const texts = found.values.flatMap((value) => [toPatternSubject(value), ...(isAllow ? [] : textsOfList(value))]);
  if (texts.length > maxTexts) return { missing: `\`${name}\` stands for more than ${maxTexts.toLocaleString("en")} values` };
  return { texts };
}

const maxTexts = 1_000;

function textsOfList({ path, value }: FoundValue): PatternSubject[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry, index) => (typeof entry === "string" ? [{ text: entry, path: [...path, String(index)] }] : []));
}

/** Returns the same subjects as one text for people, each subject on its own line. */
export function patternSubjectText(call: SubjectSource, parameter: string | null): string {
  const seen = patternSubjects(call, parameter, { isAllow: true });
  return "texts" in seen ? seen.texts.map(({ text }) => text).join("\n") : "";
}

const toPatternSubject = ({ path, value }: FoundValue): PatternSubject => ({ text: subjectText(value), path });

function subjectText(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

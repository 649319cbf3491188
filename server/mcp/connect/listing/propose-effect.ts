import type { JsonObject } from "@/contracts/common";
import { isJsonObject } from "@/contracts/lib/is-json-object";
import type { ToolHints } from "@/contracts/tools/tool-changes";
import type { ToolEffect } from "@/contracts/tools/tools";
import { rank, type Verb, vagueVerbs, verbOf } from "./effect-verbs";

/** An effect that a person may confirm for a foreign tool. `isKnown`: something of the tool tells it. */
export type EffectProposal = { effect: ToolEffect; because: string; isKnown: boolean };
type Reading = Omit<EffectProposal, "isKnown">;

type Described = {
  rawName: string;
  description: string;
  inputSchema: JsonObject;
  annotations?: ToolHints | null | undefined;
  /** The effect that counts for the tool today. */
  effect: ToolEffect;
};

/** Subjects of a tool that only reads, where its name has nothing else: `weather_forecast`, `current_time`. */
const readNouns = new Set(
  "time weather forecast price prices quote quotes news history details detail summary stats statistics metrics report help docs documentation version health schema tree screenshot snapshot profile rate rates trends".split(
    " ",
  ),
);
/** Words beside such a subject that are no verbs. */
const qualifiers = new Set(
  "a all air and by current daily exchange file for full hourly in latest local market monthly my now of page past recent server stock system the today user weekly world yearly".split(
    " ",
  ),
);
/** Parameters whose text is a program, which may do anything. */
const programParameters = /^(?:sql|code|script|command|cmd|shell|javascript|js|python|expression_to_run|function)$/i;
/** The claim of a server that a whole tool only reads. `Without changing the working folder` is a claim about one thing only. */
const onlyReads =
  /\bread[- ]?only\b|\b(?:does(?: not|n't) (?:modify|change|write)|without (?:modifying|changing)) (?:anything|any (?:data|state|files?)|data|state|it|them|files?|the (?:data|file|files|database|system|content|page|state))\b/i;
/** Words of a description about an effect that cannot be taken back, wherever they stand, unless they are negated. */
const losses =
  /\b(?:irreversibl[ey]|cannot be undone|can't be undone|permanently (?:delet|remov|eras|destroy)\w*|overwrit(?:es?|ing)|(?:is|are|gets?|will be) (?:deleted|erased|purged|wiped|destroyed))\b/i;
const negated = /\b(?:not|never|non|without|no|n't)(?:[\s-]+\w+)?[\s-]*$/i;
/** Beginnings of a sentence before its verb. */
const beforeVerb =
  /^(?:(?:use|call) (?:this|it)(?: tool)? (?:to|for|when you (?:want|need) to)|(?:this|the|an?) (?:\w+ )?(?:tool|function|method|endpoint)(?: (?:that|which|to|will|can|is used to|allows? you to|lets you))*|(?:tool|function) (?:to|for|that)|allows? (?:you|users?|agents?|the \w+) to|lets you|(?:it )?(?:will|can)|also|then|and)\s+/i;
const maxSentences = 12;

/**
 * Proposes a foreign tool's effect from its name, its description, its parameters and its server's hints; without a word
 * about it, the effect that counts today. It only ever helps a person: an effect counts when it was confirmed. Where two
 * readings differ, the stricter one is proposed.
 */
export function proposeEffect(tool: Described): EffectProposal {
  const { rawName, description, annotations, effect } = tool;
  const reading = readingOf(tool);
  if (annotations?.destructiveHint === true && reading?.effect !== "destroy")
    return { effect: "destroy", because: "its server says that it may destroy", isKnown: true };
  if (reading) return { ...reading, isKnown: true };
  const noun = readSubject(rawName);
  if (noun) return { effect: "read", because: `its name is about ${noun}`, isKnown: true };
  if (annotations?.readOnlyHint) return { effect: "read", because: "its server says that it only reads", isKnown: true };
  const hint = annotations?.destructiveHint === false;
  if (hint) return { effect: "write", because: "its server says that it destroys nothing", isKnown: true };
  return { effect, because: description === "" ? "nothing is known of it" : "its words say nothing of its effect", isKnown: false };
}

function readingOf({ rawName, description, inputSchema }: Described): Reading | null {
  const parameters = isJsonObject(inputSchema.properties) ? Object.keys(inputSchema.properties) : [];
  const program = parameters.find((name) => programParameters.test(name));
  const claimsToRead = onlyReads.test(description);
  if (program && !/\bread[- ]?only\b/i.test(description)) return { effect: "destroy", because: `its parameter ${program} takes a program` };
  const named = readName(rawName);
  if (claimsToRead) {
    return named && named.effect !== "read" ? named : { effect: "read", because: "its description says that it only reads" };
  }
  const described = readDescription(description, named?.effect ?? null);
  return named && described ? (rank[described.effect] > rank[named.effect] ? described : named) : (named ?? described);
}

/** A subject that is only read, in a name that has no word which may be a verb: `history`, not `nuke_history`. */
function readSubject(rawName: string): string | undefined {
  const parts = wordsOf(rawName);
  return parts.every((word) => readNouns.has(word) || qualifiers.has(word)) ? parts.find((word) => readNouns.has(word)) : undefined;
}

/** The first verb decides: `list_deleted_items` lists, and `search_and_delete` is named by its second verb as well. */
function readName(rawName: string): Reading | null {
  const parts = wordsOf(rawName.replace(/(?<![a-z])(check|log|sign)[ _-](out|in|off)(?![a-z])/i, "$1$2"));
  const verbs = parts.flatMap((part, place) => {
    const verb = readNouns.has(part) ? null : verbOf(part);
    return verb ? [{ ...verb, isJoined: /^(?:and|or)$/.test(parts[place - 1] ?? "") }] : [];
  });
  const [first] = verbs;
  if (!first) return null;
  const isGetRid = first.word === "get" && parts.includes("rid");
  const counted = verbs.some(({ isForeign }) => isForeign) || isGetRid ? verbs : [first, ...verbs.filter(({ isJoined }) => isJoined)];
  return quoted(strictest(counted), "its name says");
}

/**
 * Reads the verbs with which sentences begin and those joined to them. After a name that reads, words such as `run` and
 * `open` count for nothing, because `Run a search` only reads.
 */
function readDescription(description: string, named: ToolEffect | null): Reading | null {
  const loss = losses.exec(description);
  if (loss && !negated.test(description.slice(Math.max(0, loss.index - 24), loss.index)))
    return { effect: "destroy", because: `its description says “${loss[0].toLowerCase()}”` };
  const verbs = sentencesOf(description).flatMap((sentence, place) => {
    const found = leadingVerbs(sentence);
    // Later sentences explain and advise, so that only their losses count: `Use it before you create a page.`
    return place === 0 ? found : found.filter(({ effect }) => effect === "destroy");
  });
  const counted = named === "read" ? verbs.filter(({ word }) => !vagueVerbs.has(word.replace(/s$/, ""))) : verbs;
  return counted.length === 0 ? null : quoted(strictest(counted), "its description says");
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?。！？])\s*|\n+/)
    .map((sentence) => sentence.trim())
    .filter(Boolean)
    .slice(0, maxSentences);

function leadingVerbs(sentence: string): Verb[] {
  let rest = sentence.replace(/^[^\p{L}]+/u, "");
  for (let cut = rest.replace(beforeVerb, ""); cut !== rest; cut = rest.replace(beforeVerb, "")) rest = cut;
  const parts = wordsOf(rest.slice(0, 300));
  const known = parts.map(verbOf);
  // `Permanently deletes …`, `(Beta) Creates …`, `Datei löschen`: the verb may stand a few words later.
  const start = known.slice(0, 3).findIndex((verb) => verb !== null);
  const later = known.filter((verb, place) => {
    const before = parts[place - 1] ?? "";
    return verb !== null && (verb.isForeign || (place > start && start >= 0 && /^(?:and|or|then)$/.test(before)));
  });
  return [...(start < 0 ? [] : [known[start]]), ...later].filter((verb) => verb != null);
}

const strictest = (verbs: readonly Verb[]): Verb | undefined => verbs.toSorted((a, b) => rank[b.effect] - rank[a.effect])[0];

const quoted = (verb: Verb | undefined, lead: string): Reading | null =>
  verb ? { effect: verb.effect, because: `${lead} “${verb.word}”` } : null;

/** Splits `listOpenPRs`, `list-open_prs` and a sentence of any script into lower-case words. */
const wordsOf = (text: string): string[] =>
  text
    .normalize("NFC")
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter(Boolean);

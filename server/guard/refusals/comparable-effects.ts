import path from "node:path";
import type { Effect } from "@/contracts/decisions/effects";
import type { ComparableEffect } from "@/contracts/guard/refusals";
import { maskInText } from "@/server/secrets/mask-secrets";
import { type AnalyzedCall, pointerOf, workingFolder } from "../call/analyzed-call";
import { findStandardInput } from "../call/standard-input";
import type { ScriptEffect } from "../effects/collector";
import { endpointsOf } from "../hosts/private-endpoints";
import { findArgumentHosts } from "../named/named-hosts";
import { namedInCode, runsSource } from "../named/named-in-code";
import { linksTo, pathInside } from "../named/path-inside";
import { isHarmlessNode } from "../paths/harmless-node";
import { mayNamePath } from "../paths/path-name";

const maxEffects = 300;
const maxTargetChars = 1_024;

/** The effects of a refused call that its question was about; `everything` when the question was about the call as a whole. */
export type Blame = "everything" | ReadonlySet<Effect>;

type Act = ComparableEffect["act"];
type Add = (act: Act, target: string) => void;

/** Programs that put files into a folder under their own names. */
const placing = /^(?:cp|mv|ln|install|rsync|scp)$/;
/** Names of arguments that hold source code. */
const codeName = /^(?:code|script|source_?code|program|command|cmd|query|sql|expression)$/i;
/** Names of arguments that hold a server's identifier of a thing. */
const idName = /^(?:id|key|name|title|resource|table|bucket)$|_id$|Id$/;
/** User name and password in a URL; a normalised path has lost one of the URL's slashes. */
const userinfo = /^([a-z][a-z0-9+.-]*:\/{0,2})[^/@\s]*:[^/@\s]*@/i;

/**
 * Returns what earlier refusals compare: the call's effects as paths, hosts and named things that it reads, changes or reaches. Calls
 * with one in common count as related. The guess is on the safe side: an act that is not certainly a read counts as a change.
 * @param blame of a refused call, the effects that the question was about; the others are no target of the refusal
 */
export function comparableEffects(call: AnalyzedCall, blame: Blame = "everything"): ComparableEffect[] {
  const isBlamed = (effect: Effect) => blame === "everything" || blame.has(effect);
  const blamedSpans = blame === "everything" ? null : [...blame].map(({ evidence }) => evidence);
  const isAbout = (argument: string, start: number, end: number) =>
    blamedSpans?.some((span) => span.argument === argument && span.start < end && start < span.end) ?? true;
  const found = new Map<string, ComparableEffect>();
  const add: Add = (act, written) => {
    // Secrets are masked, because they are stored with the conversation; the mask keeps them comparable.
    const target = maskInText(written.replace(userinfo, "$1***@"));
    if (target !== "" && target.length <= maxTargetChars && found.size < maxEffects) found.set(`${act} ${target}`, { act, target });
  };
  for (const effect of call.effects) if (isBlamed(effect)) addEffect(effect, call, add);
  for (const { reading, place } of call.commands) {
    for (const command of reading.commands) {
      const { name, words } = command;
      if (!isAbout(pointerOf(place), words[0].start, words.at(-1)?.end ?? words[0].end)) continue;
      if (placing.test(name)) addPlaced(words, reading.effects, add);
      if (!runsSource(name)) continue;
      for (const text of [...words.slice(1).map(({ value }) => value), ...findStandardInput(command, reading)])
        addCode("change", text, call, add);
    }
  }
  if (!call.shell && (blame === "everything" || call.code)) addArguments(call, add);
  return [...found.values()];
}

function addEffect(effect: Effect, { context, arguments: args }: AnalyzedCall, add: Add): void {
  const { kind, target, recursive, namesOnly, evidence } = effect;
  const { where, path: file, host } = target;
  if (host !== undefined) {
    const [endpoint, ...others] = target.class === "private" ? endpointsOf(effect, args) : [];
    add("reach", endpoint !== undefined && others.length === 0 ? endpoint : host);
  }
  // A call works in this folder and is not about it; the session fills it in when the model names none.
  if (evidence.argument === workingFolder && where === "inside") return;
  if (file === undefined || where === "not_known" || isHarmlessNode(file)) return;
  // Nearly every call looks into the folder or writes into it, so they would relate all calls.
  if (file === "." && (namesOnly || kind === "write")) return;
  const act = kind === "read" ? "read" : "change";
  for (const name of [file, ...linksTo(file, context)]) {
    add(act, name);
    if (kind === "delete" && recursive) add(act, path.posix.join(name, "*"));
  }
}

/** Adds the files that land in or leave a folder: `cp docs/a out` may write out/a, `mv docs out` moves everything in docs. */
function addPlaced(words: readonly { value: string; start: number }[], effects: readonly ScriptEffect[], add: Add): void {
  const [, ...operands] = words;
  const ofWord = (word: { start: number }, kind: Effect["kind"]) =>
    effects.find((effect) => effect.start === word.start && effect.kind === kind && effect.target.where !== "not_known")?.target.path;
  for (const word of operands.slice(0, maxEffects)) {
    const moved = ofWord(word, "delete");
    if (moved !== undefined) add("change", path.posix.join(moved, "*"));
    const folder = ofWord(word, "write");
    if (folder === undefined) continue;
    for (const { value, start } of operands)
      if (start !== word.start && !value.startsWith("-")) add("change", path.posix.join(folder, path.posix.basename(value)));
  }
}

function addCode(act: Act, code: string, { context }: AnalyzedCall, add: Add): void {
  const { hosts, paths, reachesInto } = namedInCode(code);
  for (const host of hosts) add("reach", host);
  for (const word of paths) {
    if (!isPathLike(word)) continue;
    const target = pathInside(word, context.folder);
    add(act, target);
    if (act === "change" && reachesInto(word)) add(act, path.posix.join(target, "*"));
  }
}

/** Adds what the arguments name: source code of any tool, and plain values when the tool declares no effects. */
function addArguments(call: AnalyzedCall, add: Add): void {
  const { tool, texts, context } = call;
  const act: Act = tool.effect === "read" ? "read" : "change";
  for (const { name, text } of texts) {
    if (codeName.test(name)) addCode(act, text, call, add);
    if (tool.effects) continue;
    for (const host of findArgumentHosts(name, text)) add("reach", host);
    if (!isPathLike(text)) continue;
    if (name === tool.primaryArgument || mayNamePath(name)) add(act, pathInside(text, context.folder));
    else if (idName.test(name)) add(act, `${tool.sourceRef ?? tool.source}#${text.trim()}`);
  }
}

const isPathLike = (text: string): boolean => text.trim() !== "" && text.length <= maxTargetChars && !/[\n\r\0]/.test(text);

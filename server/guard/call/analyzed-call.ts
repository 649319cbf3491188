import type { Json } from "@/contracts/common";
import type { Effect } from "@/contracts/decisions/effects";
import { pointerTo } from "@/contracts/lib/json-pointer";
import type { DeclaredEffect } from "../effects/declare-effects";
import { needsMachine, writesHarmlessConfig, writesOnlyConfig } from "../effects/effect-boundaries";
import { type CodeReading, readCode } from "../effects/effects-of-code";
import { effectsOfScript, type ShellReading } from "../effects/effects-of-script";
import { isReachable } from "../effects/program-place";
import { bySeriousness } from "../effects/seriousness";
import { locateHost, locateUrl } from "../hosts/locate-host";
import { locatePath, type PathContext, withPrivateFiles } from "../paths/locate-path";
import { noSensitivePaths, type SensitivePaths } from "../paths/sensitive-globs";
import { ReadingBudget } from "../script/reading-budget";
import { homePiece } from "../script/words";
import { folderAt } from "../script/working-folder";
import { type ArgumentPlace, findArgumentPlace, findCommandArguments } from "./command-arguments";
import { findDeclaredLanguage } from "./declared-language";
import { findShellCommand } from "./find-shell-command";
import type { GuardRequest } from "./guard-request";
import { type TextHints, textHints } from "./text-hints";
import { runsCommands } from "./tool-facts";

/** A text inside a call's arguments. */
export type ArgumentText = {
  /** The innermost argument name around the text: `path` for `{ files: [{ path: "a" }] }`. */
  name: string;
  text: string;
  hints: TextHints;
};

/** A command in a call, with its place in the arguments. */
export type CommandOfCall = {
  reading: ShellReading;
  place: ArgumentPlace;
  /** The argument's own text when words of other arguments follow it in the command; else null. */
  written: string | null;
};

/** A call with everything derived from it once: commands, effects, texts. Shared by floor, detectors, rules and refusals. */
export type AnalyzedCall = GuardRequest & {
  /** The command of a shell tool; null for every other tool. */
  shell: ShellReading | null;
  /** Every command of the call, including those that a non-shell tool evidently runs. Rule patterns see them as commands. */
  commands: readonly CommandOfCall[];
  /** The readings of `commands`, without their places. */
  scripts: readonly ShellReading[];
  /** The code of another language that our own tool runs; null for every other call. */
  code: CodeReading | null;
  /** Every text of the arguments, at any depth. */
  texts: readonly ArgumentText[];
  /** The effects of the call, derived from its words and declared by its tool. */
  effects: readonly Effect[];
  /**
   * The call runs outside of the sandbox although there is one. It is analyzed as if there were none, so its context
   * says that it is not sandboxed.
   */
  leavesSandbox: boolean;
  /** The sensitive paths of the policy for which the effects were found. */
  sensitivePaths: SensitivePaths;
};

/**
 * Reads a call once, for the floor, the detectors and every rule.
 * @throws TooMuchToRead when a command of the call is too long, dense or deep
 */
export function analyzeCall(request: GuardRequest, sensitivePaths: SensitivePaths = noSensitivePaths): AnalyzedCall {
  const { context, tool } = request;
  const isConfined = context.sandboxed === true && runsCommands(tool);
  if (!isConfined) return analyzeIn(request, sensitivePaths, { isConfined: false, leavesSandbox: false });
  const { place } = context;
  if (!place?.outside) {
    const inside = analyzeIn(request, sensitivePaths, { isConfined: true, leavesSandbox: false });
    if (!inside.effects.some(needsMachine)) return inside;
  }
  // No sandbox confines what leaves it, so nothing about the call may count as confined.
  const outside = { ...request, context: { ...context, sandboxed: false } };
  return analyzeIn(outside, sensitivePaths, { isConfined: false, leavesSandbox: true });
}

type Confinement = { isConfined: boolean; leavesSandbox: boolean };

function analyzeIn(request: GuardRequest, sensitivePaths: SensitivePaths, { isConfined, leavesSandbox }: Confinement): AnalyzedCall {
  const { context } = request;
  const surroundings: PathContext = {
    root: context.folder,
    machine: context.machine,
    sandboxed: isConfined,
    leavesSandbox,
    sensitivePaths,
    files: context.files,
  };
  const command = findShellCommand(request);
  const shell = command === null ? null : effectsOfScript(command, surroundings, new ReadingBudget(), startFolder(request));
  const commands = shell
    ? [{ reading: shell, place: findArgumentPlace(null, primaryName(request)), written: null }]
    : otherCommands(request, surroundings);
  const scripts = commands.length === 0 ? noScripts : commands.map(({ reading }) => reading);
  const code = shell || commands.length > 0 ? null : codeOf(request, surroundings);
  const declared = declaredEffects(request, surroundings, context.ownPorts ?? []);
  const all = withConfigRisk(
    scripts,
    withNewFiles(surroundings, [
      ...commands.flatMap((command) => effectsIn(command, surroundings)),
      ...(code ? code.effects : []),
      ...declared,
      ...(context.files ? declared.flatMap((effect) => effectsMetBySearch(effect, false, surroundings)) : []),
      ...(leavesSandbox && context.place?.outside ? [writesToOutside(request)] : []),
    ]),
  );
  const effects = bySeriousness(isConfined && context.place ? all.filter((effect) => isReachable(effect, context.place)) : all);
  return { ...request, shell, commands, scripts, code, texts: textsIn(request.arguments), effects, leavesSandbox, sensitivePaths };
}

/**
 * Returns the effect of input for a process outside of the sandbox. The process may be no shell, so its input is
 * asked about even when it reads like a harmless command.
 */
function writesToOutside(request: GuardRequest): Effect {
  const name = primaryName(request);
  const text = request.arguments[name];
  const evidence = { argument: pointerTo("", name), start: 0, end: typeof text === "string" ? text.length : 0 };
  return { kind: "elevate", target: { where: "outside", program: "a process outside the sandbox" }, evidence };
}

/** A recursive read without sandbox also reads the sensitive files and outward links below it: returns these effects. */
function effectsMetBySearch(
  { kind, target, recursive, namesOnly, evidence }: Effect,
  followsLinks: boolean,
  { files, sandboxed }: PathContext,
): Effect[] {
  const { path = "", where } = target;
  const isGlob = /[*?[]/.test(path);
  if (!files || sandboxed || kind !== "read" || (namesOnly && !followsLinks) || where !== "inside" || !(recursive || isGlob)) return [];
  const top = isGlob ? path.slice(0, path.search(/[*?[]/)).replace(/[^/]*$/, "") : path === "." ? "" : `${path}/`;
  const met = (met: readonly string[], found: Effect["target"]) =>
    met.filter((file) => file.startsWith(top)).map((file): Effect => ({ kind: "read", target: { ...found, path: file }, evidence }));
  return [
    ...(namesOnly ? [] : met(files.sensitive, { where: "inside", class: "sensitive" })),
    ...met(files.linksOut, { where: "not_known" }),
    ...(files.gap === null ? [] : [{ kind, target: { where: "not_known" as const }, evidence }]),
  ];
}

/** Settings and keys of a project, which programs read but do not run by. */
const newSecretFile = /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[^/]+\.(?:pem|key|p12|pfx|jks|keystore))$/;

/** A file that does not exist yet holds no secret, so a command may make it: `cp .env.example .env`. */
function withNewFiles({ files, sensitivePaths }: PathContext, effects: Effect[]): Effect[] {
  if (!files?.missing || files.missing.size === 0) return effects;
  const isRead = (path: string) => effects.some(({ kind, target }) => kind === "read" && target.path === path);
  return effects.map((effect) => {
    const { kind, target } = effect;
    const { path } = target;
    const isOfProject = path !== undefined && newSecretFile.test(path) && sensitivePaths.fitting(path) === null;
    if (kind !== "write" || target.class !== "sensitive" || target.where !== "inside" || !isOfProject) return effect;
    if (!files.missing?.has(path) || isRead(path)) return effect;
    const { class: _class, ...rest } = target;
    return { ...effect, target: rest };
  });
}

/**
 * Makes the write of git's settings a write of a file that runs by itself where the call does more: the sandbox opens the file for the
 * whole call. A repository that the call itself makes needs no opening.
 */
function withConfigRisk(scripts: readonly ShellReading[], effects: Effect[]): Effect[] {
  if (!effects.some(writesHarmlessConfig) || writesOnlyConfig(effects)) return effects;
  const makesRepository = scripts.some(({ commands }) =>
    commands.some(({ name, words }) => name === "git" && words.some(({ value }) => value === "init" || value === "clone")),
  );
  if (makesRepository) return effects;
  return effects.map((effect) =>
    writesHarmlessConfig(effect) ? { ...effect, target: { ...effect.target, class: "runs_by_itself" } } : effect,
  );
}

/** Analyzes a call; null when the call is too much to read, because a decision about the call then says so. */
export function analyzeCallIfReadable(request: GuardRequest, sensitivePaths?: SensitivePaths): AnalyzedCall | null {
  try {
    return analyzeCall(request, sensitivePaths);
  } catch {
    return null;
  }
}

const noScripts: readonly ShellReading[] = [];
const noCommands: readonly CommandOfCall[] = [];
const noEffects: readonly Effect[] = [];
const primaryName = ({ tool }: GuardRequest) => String(tool.primaryArgument);

/** The argument that names the folder in which a shell tool starts. */
export const workingFolder = "/cwd";

/** Returns the folder in which the shell tool starts; null for input of a process, which may have gone anywhere. */
function startFolder({ arguments: { cwd }, context }: GuardRequest): string | null {
  if (context.place?.outside) return null;
  return typeof cwd === "string" ? folderAt(cwd, ".") : ".";
}

/** Reads the commands of a tool that is not our shell, all with one budget. */
function otherCommands(request: GuardRequest, surroundings: PathContext): readonly CommandOfCall[] {
  const evident = findCommandArguments(request);
  if (evident.length === 0) return noCommands;
  const budget = new ReadingBudget();
  return evident.map(({ text, place, written }) => ({ reading: effectsOfScript(text, surroundings, budget), place, written }));
}

/** Reads the code of another language that one of our own tools runs; null for every other call. */
function codeOf(request: GuardRequest, surroundings: PathContext): CodeReading | null {
  const { tool, arguments: args } = request;
  if (tool.source !== "builtin" || !runsCommands(tool) || tool.primaryArgument === null) return null;
  const language = findDeclaredLanguage(request);
  const code = args[tool.primaryArgument];
  if ((language !== "python" && language !== "javascript") || typeof code !== "string") return null;
  const evidence = { argument: pointerTo("", tool.primaryArgument), start: 0, end: code.length };
  return readCode(language, code, { surroundings, folder: startFolder(request) ?? ".", evidence });
}

function effectsIn({ reading, place }: CommandOfCall, surroundings: PathContext): Effect[] {
  const argument = pointerOf(place);
  return reading.effects.flatMap(({ start, end, followsLinks = false, ...said }) => {
    const effect = { ...said, evidence: { argument, start, end } };
    return surroundings.files ? [effect, ...effectsMetBySearch(effect, followsLinks, surroundings)] : [effect];
  });
}

export function pointerOf({ name, inside }: ArgumentPlace): string {
  return pointerTo(inside === null ? "" : pointerOf(inside), name);
}

function declaredEffects(
  { tool, arguments: args }: GuardRequest,
  surroundings: PathContext,
  ownPorts: readonly number[],
): readonly Effect[] {
  const declared = tool.effects?.(args);
  return declared === undefined || declared.length === 0 ? noEffects : declared.map((effect) => located(effect, surroundings, ownPorts));
}

function located(
  { argument, path, url, host, inside, reachesOwnServers = false, ...effect }: DeclaredEffect,
  surroundings: PathContext,
  ownPorts: readonly number[],
): Effect {
  if (inside !== undefined) return { ...effect, target: { where: "inside", program: inside }, evidence: { argument, start: 0, end: 0 } };
  const text = path ?? url ?? host ?? "";
  const target =
    path !== undefined
      ? locatePath({ value: path.replace(/^~(?=\/|$)/, homePiece), certainty: "literal" }, ".", {
          ...surroundings,
          isTool: surroundings.machine === undefined,
          isWhole: effect.kind === "delete",
        })
      : url !== undefined
        ? // Built-in tools send their requests from outside of the sandbox, except those to the conversation's own servers.
          locateUrl({ value: url }, reachesOwnServers && isOwnServer(url, ownPorts))
        : locateHost({ value: text }, surroundings.sandboxed);
  const reached = effect.kind === "read" && effect.recursive ? withPrivateFiles(target, surroundings) : target;
  return { ...effect, target: reached, evidence: { argument, start: 0, end: text.length } };
}

/** Returns whether a URL's port is one of the conversation's own servers. */
function isOwnServer(url: string, ownPorts: readonly number[]): boolean {
  const parsed = ownPorts.length > 0 ? URL.parse(url) : null;
  return parsed !== null && ownPorts.includes(Number(parsed.port || (parsed.protocol === "https:" ? 443 : 80)));
}

/** Collects every text inside a value. Iterates, because a model may nest deeper than the stack allows. */
function textsIn(value: Json): ArgumentText[] {
  const texts: ArgumentText[] = [];
  const open: { name: string; value: Json }[] = [{ name: "", value }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { name, value } = next;
    if (typeof value === "string") texts.push({ name, text: value, hints: textHints(value) });
    else if (Array.isArray(value)) for (const member of value.toReversed()) open.push({ name, value: member });
    else if (value && typeof value === "object")
      for (const [key, member] of Object.entries(value).toReversed()) open.push({ name: key, value: member });
  }
  return texts;
}

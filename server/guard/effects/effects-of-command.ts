import { locatePath, type PathContext } from "../paths/locate-path";
import { defaultSources, sourceOfWord } from "../programs/content-sources";
import { isGiven } from "../programs/given-options";
import { parseWords } from "../programs/parse-words";
import {
  configuredByFile,
  type EffectSink,
  type FixedEffect,
  givenOption,
  loadsCode,
  type OperandRole,
  type ParsedWords,
  type ProgramSpec,
  readsUnknown,
  runsAnother,
  runsUnknown,
} from "../programs/program";
import { findProgram } from "../programs/programs";
import type { ResolvedCommand } from "../script/resolved-command";
import type { ShellWord } from "../script/words";
import { folderAt } from "../script/working-folder";
import { Collector, type ScriptEffect } from "./collector";
import { CommandSink } from "./command-sink";

const maxCommandDepth = 8;

/** Returns the effects of a command alone, without those of the commands and scripts that it runs. */
export function effectsOfCommand(command: ResolvedCommand, surroundings: PathContext): readonly ScriptEffect[] {
  const collector = new Collector(surroundings, () => {});
  addCommand(command, collector, maxCommandDepth);
  return collector.effects;
}

/** Adds the effects of a command, and of the commands that it runs. */
export function addCommand(command: ResolvedCommand, collector: Collector, depth = 0): void {
  collector.commands.push(command);
  const [name, ...args] = command.words;
  const found = depth > maxCommandDepth || name.certainty === "unknown" ? null : findProgram(name.value, name.certainty);
  if (!found) {
    addUnknownProgram(command, name, collector);
    return;
  }
  addSpec(found, args, command, collector, depth);
}

function addSpec(spec: ProgramSpec, args: readonly ShellWord[], command: ResolvedCommand, collector: Collector, depth: number): void {
  const parsed = parseWords(args, spec);
  const { options, operands, mayBeOption } = parsed;
  const [name] = command.words;
  let { folder } = command;
  const act = new CommandSink({
    parsed,
    command,
    collector,
    addInner: (inner) => addCommand(inner, collector, depth + 1),
    folderOf: () => folder,
    followsLinks: applies(spec.followsLinks, parsed),
  });
  const moved = spec.folderOption === undefined ? null : givenOption(parsed, spec.folderOption)?.value;
  if (moved) {
    act.role("lists", moved);
    folder = folder === null || moved.certainty !== "literal" ? null : folderAt(moved.value, folder);
  }
  const recursive = command.isRecursive === true || applies(spec.recursive, parsed);
  for (const { role, value, does, word } of options) {
    if (role && value) act.role(role, value, recursive);
    for (const one of does) act.does(one, word);
    // A bare word is a module of the library or of a package.
    if (value && does.includes(loadsCode) && /[./]/.test(value.value)) act.content("runs", value);
  }
  const isAsking = onlyAsks(args);
  if (spec.configuredBy && !isAsking) {
    collector.contents.push(...defaultSources(spec.configuredBy, folder, command.name));
    if (collector.surroundings.leavesSandbox) act.does(configuredByFile);
  }
  if (spec.harmlessGlobals !== undefined) {
    const known = spec.harmlessGlobals.split(" ");
    for (const { name: option, role, does, word } of options)
      if (role === null && does.length === 0 && !known.includes(option)) act.does(runsAnother, word);
  }
  for (const one of spec.does ?? []) if (!isAsking || one.kind === "execute") act.does(one, name);
  if (mayBeOption) act.does(mayBeOption.onlyReads ? readsUnknown : becomesOption, mayBeOption.word);
  if (!isAsking) spec.special?.(act);
  const sub = spec.subcommands && subcommandOf(spec, operands);
  if (sub) {
    if (sub.from > 0 || !isAsking) addSpec(sub.spec, operands.slice(sub.from), { ...command, folder }, collector, depth);
    return;
  }
  const { operands: roles = [], lastOperand } = spec;
  for (const [index, operand] of operands.entries()) {
    const isLast = index === operands.length - 1 && index > 0;
    const role = isLast && lastOperand ? lastOperand : (roles[index] ?? roles.at(-1));
    if (role === "command") {
      act.run(operands.slice(index), spec.isTransparent);
      break;
    }
    if (role) act.role(role, operand, recursive);
    // A glob may become several words: the second of `uniq *` is written.
    if (operand.certainty !== "literal") for (const later of new Set(roles.slice(index + 1))) act.role(later, operand);
  }
  if (operands.length === 0 && !isAsking) for (const one of spec.without ?? []) actWithout(one, act, name, recursive);
}

/** Returns whether a command only asks for its version or its help, and so does nothing else, even as code of the folder. */
function onlyAsks(args: readonly ShellWord[]): boolean {
  const [first] = args;
  return args.length === 1 && first?.certainty === "literal" && /^--(?:version|help)$/.test(first.value);
}

const becomesOption: FixedEffect = {
  kind: "execute",
  target: { where: "not_known" },
  note: "shell.not_followed",
  says: "has a word that can become an option of the program when it runs",
};

function actWithout(one: OperandRole | FixedEffect, act: EffectSink, name: ShellWord, recursive: boolean): void {
  if (typeof one === "string") act.role(one, { ...name, value: ".", certainty: "literal" }, recursive);
  else act.does(one, name);
}

/** Returns whether a trait of a program applies: always, or by one of its options. */
function applies(options: string | true | undefined, parsed: ParsedWords): boolean {
  return options === true || (options !== undefined && isGiven(parsed, options));
}

/** Finds the spec of the given subcommand by the first operand; nested specs cover `docker compose up`. */
function subcommandOf(
  { subcommands = {}, otherwise = { does: [runsUnknown] } }: ProgramSpec,
  operands: readonly ShellWord[],
): { spec: ProgramSpec; from: number } {
  const [first] = operands;
  if (!first) return { spec: { does: subcommands[""]?.does ?? [] }, from: 0 };
  for (const [names, spec] of Object.entries(subcommands)) {
    if (first.certainty === "literal" && names.split(" ").includes(first.value)) return { spec, from: 1 };
  }
  return { spec: otherwise, from: 1 };
}

/** Adds the effects of a program without a spec: it may do anything, and a file of the folder runs its own code. */
function addUnknownProgram(command: ResolvedCommand, name: ShellWord, collector: Collector): void {
  const { contents, surroundings } = collector;
  if (name.certainty !== "literal") {
    collector.addUnknown("shell.hidden_command", "has a name that is known only when it runs", name.text, name);
    contents.push({ as: "runs", path: null, named: name.text });
  } else if (name.value.includes("/")) {
    const target = locatePath(name, command.folder, surroundings);
    collector.add("execute", { ...target, program: name.value }, name);
    if (target.class !== "system") contents.push(sourceOfWord("runs", name, command.folder, surroundings));
    // The dynamic loader runs the program that it is given.
    if (target.class !== "system" || /\/ld[\w.-]*\.so[\w.]*$/.test(name.value))
      collector.note("shell.written_program", "runs a file as a program", name.text, name);
  } else collector.add("execute", { where: "not_known", program: name.value }, name);
}

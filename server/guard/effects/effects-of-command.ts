import type { Effect, EffectTarget } from "@/contracts/decisions/effects";
import { locateHost, locateUrl } from "../hosts/locate-host";
import { locatePath, type PathContext, withPrivateFiles } from "../paths/locate-path";
import { addressesInCode, type CodeInCommand, commandsInCode, runsDownload } from "../programs/commands-in-code";
import { type ContentSource, defaultSources, sourceOfWord } from "../programs/content-sources";
import { changesPrograms } from "../programs/environment";
import { parseWords } from "../programs/parse-words";
import {
  configuredByFile,
  type EffectSink,
  type FixedEffect,
  loadsCode,
  type OperandRole,
  type ParsedWords,
  type ProgramSpec,
  readsUnknown,
  runsAnother,
  runsUnknown,
} from "../programs/program";
import { findProgram } from "../programs/programs";
import { programName, type ResolvedCommand } from "../script/resolved-command";
import type { ShellWord } from "../script/words";
import { folderAt } from "../script/working-folder";

/** A note for the approver: its detector, and the end of a sentence that begins with "This command". */
export type Note = { detector: string; says: string; text: string; start: number; end: number };
/** An effect whose evidence is a range of the script, and not yet of an argument. */
export type ScriptEffect = Omit<Effect, "evidence"> & {
  start: number;
  end: number;
  /** The read follows the links that it meets. */
  followsLinks?: true;
};

/** Collects the effects, notes and programs of a script's commands. */
export type Collector = {
  surroundings: PathContext;
  effects: ScriptEffect[];
  notes: Note[];
  commands: ResolvedCommand[];
  /** Files whose contents decide what the commands do. */
  contents: ContentSource[];
  /** Programs in other languages inside the script. */
  codes: CodeInCommand[];
  /** Reads a script inside a word. */
  runScript: (text: string, word: ShellWord, command: ResolvedCommand) => void;
};

const maxCommandDepth = 8;

/**
 * Adds the effects of a program in another language, as far as its text shows them: commands that it starts and
 * connections.
 */
export function addCode(text: string, word: ShellWord, command: ResolvedCommand, collector: Collector): void {
  const { effects, notes, surroundings } = collector;
  const at = { start: word.start, end: word.end };
  collector.codes.push({ program: command.name, text });
  for (const inner of commandsInCode(command.name, text)) collector.runScript(inner, word, command);
  for (const value of addressesInCode(text)) effects.push({ kind: "connect", target: locateUrl({ value }, surroundings.sandboxed), ...at });
  if (runsDownload(text)) notes.push({ detector: "shell.download_and_run", says: "runs a download unread", text, ...at });
}

/** Returns the effects of a command alone, without those of the commands and scripts that it runs. */
export function effectsOfCommand(command: ResolvedCommand, surroundings: PathContext): readonly ScriptEffect[] {
  const effects: ScriptEffect[] = [];
  addCommand(command, { surroundings, effects, notes: [], commands: [], contents: [], codes: [], runScript: () => {} }, maxCommandDepth);
  return effects;
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
    depth,
    folderOf: () => folder,
    followsLinks: spec.followsLinks === true || isGiven(spec.followsLinks || undefined, options),
  });
  const moved =
    spec.folderOption === undefined ? undefined : options.findLast(({ name }) => spec.folderOption?.split(" ").includes(name))?.value;
  if (moved) {
    act.role("lists", moved);
    folder = folder === null || moved.certainty !== "literal" ? null : folderAt(moved.value, folder);
  }
  const recursive = command.isRecursive === true || spec.recursive === true || isGiven(spec.recursive, options);
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

const url = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Returns whether a word is a URL or `host:path`, and so no file of this machine. */
const isElsewhere = ({ value }: ShellWord) =>
  value === "-" || ((url.test(value) || /^[^/\s:]+:(?!\/\/)/.test(value)) && !/^file:/i.test(value));

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

function isGiven(names: string | undefined, options: ParsedWords["options"]): boolean {
  return names !== undefined && options.some(({ name }) => names.split(" ").includes(name));
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
function addUnknownProgram(command: ResolvedCommand, name: ShellWord, { effects, notes, contents, surroundings }: Collector): void {
  const at = { start: name.start, end: name.end };
  if (name.certainty !== "literal") {
    effects.push({ kind: "execute", target: { where: "not_known" }, ...at });
    contents.push({ as: "runs", path: null, named: name.text });
    notes.push({ detector: "shell.hidden_command", says: "has a name that is known only when it runs", text: name.text, ...at });
  } else if (name.value.includes("/")) {
    const target = locatePath(name, command.folder, surroundings);
    effects.push({ kind: "execute", target: { ...target, program: name.value }, ...at });
    if (target.class !== "system") contents.push(sourceOfWord("runs", name, command.folder, surroundings));
    // The dynamic loader runs the program that it is given.
    if (target.class !== "system" || /\/ld[\w.-]*\.so[\w.]*$/.test(name.value))
      notes.push({ detector: "shell.written_program", says: "runs a file as a program", text: name.text, ...at });
  } else effects.push({ kind: "execute", target: { where: "not_known", program: name.value }, ...at });
}

type SinkContext = Pick<EffectSink, "parsed" | "command"> & {
  collector: Collector;
  depth: number;
  folderOf: () => string | null;
  followsLinks: boolean;
};

/** Adds the effects of one command to a collector. Its functions are properties, because specs take them apart from it. */
class CommandSink implements EffectSink {
  readonly parsed: ParsedWords;
  readonly command: ResolvedCommand;
  readonly program: string;
  readonly surroundings: PathContext;

  constructor(readonly context: SinkContext) {
    this.parsed = context.parsed;
    this.command = context.command;
    this.program = context.command.name;
    this.surroundings = context.collector.surroundings;
  }

  does: EffectSink["does"] = ({ kind, target, note, says = "", irreversible, recursive }, word = this.command.words[0]) => {
    if (kind) {
      const at = { program: this.program, where: "not_known", ...target } as const;
      this.add(kind, at, word, { ...(irreversible ? { irreversible } : {}), ...(recursive ? { recursive } : {}) });
    }
    if (note) this.context.collector.notes.push({ detector: note, says, text: this.command.within.text, start: word.start, end: word.end });
  };

  run: EffectSink["run"] = (words, isTransparent = false, { isRecursive = this.command.isRecursive === true, unknown } = {}) => {
    const [name, ...rest] = words;
    if (!name) return;
    if (unknown && name.certainty === "literal" && !name.value.includes("/") && !findProgram(name.value, name.certainty)) {
      this.does(unknown, name);
      return;
    }
    const { command, context } = this;
    const place = { folder: context.folderOf(), within: command.within, runBy: command, isTransparent };
    const inner: ResolvedCommand = { name: programName(name), words: [name, ...rest], ...place };
    addCommand(isRecursive ? { ...inner, isRecursive } : inner, context.collector, context.depth + 1);
  };

  role: EffectSink["role"] = (role, word, recursive = false) => roles[role](this, word, recursive);

  content: EffectSink["content"] = (as, word, more) => {
    const { collector, folderOf } = this.context;
    collector.contents.push(sourceOfWord(as, word, folderOf(), this.surroundings, more));
  };

  code: EffectSink["code"] = (text, word) => addCode(text, word, this.command, this.context.collector);

  elsewhere: EffectSink["elsewhere"] = (text) => {
    this.context.collector.codes.push({ program: this.program, text, isElsewhere: true });
  };

  add(
    kind: Effect["kind"],
    target: EffectTarget,
    word: ShellWord,
    more: Pick<Effect, "recursive" | "namesOnly" | "irreversible"> & Pick<ScriptEffect, "followsLinks"> = {},
  ): void {
    this.context.collector.effects.push({ kind, target, start: word.start, end: word.end, ...more });
  }

  pathOf(word: Pick<ShellWord, "value" | "certainty">, isWhole = false): EffectTarget {
    return locatePath(word, this.context.folderOf(), isWhole ? { ...this.surroundings, isWhole } : this.surroundings);
  }

  /**
   * Locates the operand into which the others go. Below a folder, the first of them that becomes a guarded file or folder
   * stands for all.
   * @param mayBecome a single other operand may be a folder that gets this name
   */
  receiverOf(word: ShellWord, mayBecome: boolean): EffectTarget {
    const { operands } = this.parsed;
    const others = operands.filter((operand) => operand !== word);
    const plain = this.pathOf(word);
    const whole = this.pathOf(word, true);
    const holdsGuarded = whole.class !== plain.class;
    if (holdsGuarded && mayBecome && others.length < 2 && operands.includes(word)) return whole;
    const isFolder = holdsGuarded || others.length > 1 || !operands.includes(word) || /(?:^|\/)\.{0,2}$/.test(word.value);
    if (!isFolder || word.certainty !== "literal") return plain;
    for (const { value, certainty } of others) {
      const name = /(?:^|\/)([^/]*)$/.exec(value)?.[1] ?? "";
      const isKnown = certainty === "literal" && !/^\.{0,2}$/.test(name) && this.command.isRecursive !== true;
      if (!isKnown && holdsGuarded) return whole;
      const entry = isKnown ? this.pathOf({ value: `${word.value}/${name}`, certainty }, true) : plain;
      if (entry.class === "runs_by_itself") return entry;
    }
    return plain;
  }

  wholeOf(word: ShellWord): EffectTarget {
    return withPrivateFiles(this.pathOf(word), this.surroundings);
  }

  deep(recursive: boolean): Pick<Effect, "recursive"> {
    return recursive || this.command.isRecursive ? { recursive: true } : {};
  }

  addRemote(role: "remote_read" | "remote_write" | "remote_receives", word: ShellWord, recursive: boolean): void {
    if (!isElsewhere(word)) {
      this.role(localRoles[role], word, recursive);
      return;
    }
    const { sandboxed } = this.surroundings;
    const target = url.test(word.value) ? locateUrl(word, sandboxed) : locateHost(word, sandboxed);
    this.add(role === "remote_read" ? "connect" : "send", target, word);
  }
}

const localRoles = { remote_read: "reads", remote_write: "writes", remote_receives: "receives" } as const;

/** What a word adds in each of its roles. */
const roles: Readonly<Record<OperandRole, (sink: CommandSink, word: ShellWord, recursive: boolean) => void>> = {
  text: () => {},
  reads: (sink, word, recursive) => {
    if (word.value !== "-") sink.add("read", sink.wholeOf(word), word, sink.deep(recursive));
  },
  configures: (sink, word, recursive) => {
    sink.role("reads", word, recursive);
    if (word.value !== "-") sink.content("configures", word);
    if (sink.surroundings.leavesSandbox) sink.does(configuredByFile, word);
  },
  remote_configures: (sink, word, recursive) => {
    sink.addRemote("remote_read", word, recursive);
    if (isElsewhere(word)) return;
    sink.content("configures", word);
    if (sink.surroundings.leavesSandbox) sink.does(configuredByFile, word);
  },
  lists: (sink, word, recursive) => {
    const deep = sink.deep(recursive);
    const follows = sink.context.followsLinks || sink.command.isRecursive || word.certainty === "glob";
    const target = deep.recursive ? sink.wholeOf(word) : sink.pathOf(word);
    sink.add("read", target, word, { namesOnly: true, ...deep, ...(follows ? { followsLinks: true } : {}) });
  },
  writes: (sink, word, recursive) => {
    if (word.value !== "-") sink.add("write", sink.pathOf(word, true), word, sink.deep(recursive));
  },
  makes: (sink, word) => sink.add("write", sink.pathOf(word), word),
  receives: (sink, word, recursive) => sink.add("write", sink.receiverOf(word, recursive), word, sink.deep(recursive)),
  becomes: (sink, word, recursive) => sink.add("write", sink.receiverOf(word, true), word, sink.deep(recursive)),
  changes: (sink, word, recursive) => sink.add("write", sink.pathOf(word, true), word, sink.deep(recursive)),
  deletes: (sink, word, recursive) => sink.add("delete", sink.pathOf(word, true), word, sink.deep(recursive)),
  executes: (sink, word) => {
    sink.add("execute", { ...sink.pathOf(word), program: sink.program }, word);
    sink.content("runs", word);
    sink.does({ note: "shell.written_program", says: `runs \`${word.value}\` as a program` }, word);
  },
  command: (sink, word) => {
    const { operands } = sink.parsed;
    sink.run([word, ...operands.slice(operands.indexOf(word) + 1)]);
  },
  script: (sink, word) => {
    const { collector, folderOf } = sink.context;
    if (word.certainty === "literal") collector.runScript(word.value, word, { ...sink.command, folder: folderOf() });
    else sink.does({ kind: "execute", note: "shell.eval", says: "runs a text that is known only then" }, word);
  },
  code: (sink, word) => {
    sink.add("execute", { where: "not_known", program: sink.program }, word);
    sink.does({ note: "shell.inline_program", says: "runs a program that stands in its arguments" }, word);
    sink.code(word.value, word);
  },
  host: (sink, word) => sink.add("connect", locateHost(word, sink.surroundings.sandboxed), word),
  url: (sink, word) => {
    if (/^file:/i.test(word.value)) sink.role("reads", word);
    else sink.add("connect", locateUrl(word, sink.surroundings.sandboxed), word);
  },
  url_send: (sink, word) => sink.add("send", locateUrl(word, sink.surroundings.sandboxed), word),
  remote_read: (sink, word, recursive) => sink.addRemote("remote_read", word, recursive),
  remote_write: (sink, word, recursive) => sink.addRemote("remote_write", word, recursive),
  remote_receives: (sink, word, recursive) => sink.addRemote("remote_receives", word, recursive),
  file_list: (sink, word) => {
    if (word.value !== "-") sink.add("read", sink.pathOf(word), word);
    sink.add("read", { where: "not_known" }, word);
  },
  data: (sink, word) => {
    // The content of the file in `-F name=@file` is sent.
    const file = /^(?:[^=@]*=)?[@<](?<path>[^;]+)/.exec(word.value)?.groups?.path;
    if (file === undefined) return;
    sink.role("reads", { ...word, value: file });
    sink.does({ note: "shell.upload", says: "sends the content of a file away" }, word);
  },
  assignment: (sink, word) => {
    const end = word.value.indexOf("=");
    const variable = word.value.slice(0, end);
    if (!changesPrograms(variable, word.certainty === "literal" ? word.value.slice(end + 1) : null, sink.surroundings)) return;
    sink.does({ ...runsUnknown, note: "shell.environment", says: `sets ${variable}, which can change what other commands do` }, word);
  },
};

import type { Effect, EffectTarget } from "@/contracts/decisions/effects";
import { locateHost, locateUrl } from "../hosts/locate-host";
import { locatePath, type PathContext, withPrivateFiles } from "../paths/locate-path";
import { sourceOfWord } from "../programs/content-sources";
import { changesPrograms } from "../programs/environment";
import { configuredByFile, type EffectSink, type OperandRole, type ParsedWords, runsUnknown } from "../programs/program";
import { findProgram } from "../programs/programs";
import { programName, type ResolvedCommand } from "../script/resolved-command";
import type { ShellWord } from "../script/words";
import type { Collector } from "./collector";

const url = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Returns whether a word is a URL or `host:path`, and so no file of this machine. */
const isElsewhere = ({ value }: ShellWord) =>
  value === "-" || ((url.test(value) || /^[^/\s:]+:(?!\/\/)/.test(value)) && !/^file:/i.test(value));

type SinkContext = Pick<EffectSink, "parsed" | "command"> & {
  collector: Collector;
  /** Adds the effects of a command that this one runs. */
  addInner: (inner: ResolvedCommand) => void;
  folderOf: () => string | null;
  followsLinks: boolean;
};

/** Adds the effects of one command to a collector. Its functions are properties, because specs take them apart from it. */
export class CommandSink implements EffectSink {
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
    if (note) this.context.collector.note(note, says, this.command.within.text, word);
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
    context.addInner(isRecursive ? { ...inner, isRecursive } : inner);
  };

  role: EffectSink["role"] = (role, word, recursive = false) => roles[role](this, word, recursive);

  content: EffectSink["content"] = (as, word, more) => {
    const { collector, folderOf } = this.context;
    collector.contents.push(sourceOfWord(as, word, folderOf(), this.surroundings, more));
  };

  code: EffectSink["code"] = (text, word) => this.context.collector.addCode(text, word, this.command);

  elsewhere: EffectSink["elsewhere"] = (text) => {
    this.context.collector.codes.push({ program: this.program, text, isElsewhere: true });
  };

  add(kind: Effect["kind"], target: EffectTarget, word: ShellWord, more?: Parameters<Collector["add"]>[3]): void {
    this.context.collector.add(kind, target, word, more);
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

/** Effects that a word adds in each of its roles. */
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

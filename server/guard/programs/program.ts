import type { Effect, EffectTarget } from "@/contracts/decisions/effects";
import type { ResolvedCommand } from "../script/resolved-command";
import type { ShellWord } from "../script/words";
import type { ContentSource, SourceFacts } from "./content-sources";

/** The meaning of an operand, or of an option's value, to a program. */
export type OperandRole =
  /** A pattern, a number or a message, without any effect. */
  | "text"
  /** A file or folder whose contents are read. */
  | "reads"
  /** A file or folder of which only names and attributes are read. */
  | "lists"
  | "writes"
  /** A folder or an empty file that is made where there is none yet. */
  | "makes"
  /** A file, or the folder into which the other operands are copied. */
  | "receives"
  /** The new name of the other operand, which may be a folder, or the folder into which the other operands go. */
  | "becomes"
  /** A file that is read and then written in place. */
  | "changes"
  | "deletes"
  /** A file whose code is run. */
  | "executes"
  /** A file or folder that is read and says what the program does: its content counts as approved. */
  | "configures"
  /** The same, or a URL or `host:path`. */
  | "remote_configures"
  /** A program by name or path, together with all words after it. */
  | "command"
  /** A script for a shell. */
  | "script"
  /** A program in another language. */
  | "code"
  /** A host, with or without user and port. */
  | "host"
  | "url"
  /** A URL to which something is sent. */
  | "url_send"
  /** `host:path`, a URL, or a path. */
  | "remote_read"
  | "remote_write"
  /** `host:path`, or a path that receives the other operands. */
  | "remote_receives"
  /** A file that lists the names of files to read. */
  | "file_list"
  /** `@file` is a file that is read and sent; any other text has no effect. */
  | "data"
  /** `name=value` for the environment of another program. */
  | "assignment";

/** An effect that does not depend on a word, or a note for the approver, or both. */
export type FixedEffect = {
  kind?: Effect["kind"];
  target?: Partial<EffectTarget>;
  irreversible?: true;
  recursive?: true;
  /** Id of the detector whose finding carries the note. */
  note?: string;
  /** The end of a sentence that begins with "This command". */
  says?: string;
};

/** The meaning of an option with a value: a role of the value, an effect that no value changes, or both. */
export type OptionMeaning = OperandRole | FixedEffect | { role: OperandRole; does: readonly FixedEffect[] };

export type ProgramSpec = {
  /** Roles of the operands by position; the last one repeats. Absent: operands are text. */
  operands?: readonly OperandRole[];
  /** Role of the last operand when it differs, such as the target of `cp`. */
  lastOperand?: OperandRole;
  /** Roles and effects when there are no operands: `ls` lists its folder. */
  without?: readonly (OperandRole | FixedEffect)[];
  /** Options with a value; each key is one or more names: `"-o --output": "writes"`. */
  valued?: Readonly<Record<string, OptionMeaning>>;
  /** Options with an optional value, which must be attached: `-psecret`, `-i.bak`. */
  attached?: string;
  /** Options without a value that have an effect; they win over `valued`. Other flags need no entry. */
  flags?: Readonly<Record<string, readonly FixedEffect[]>>;
  /** Options that make the program recurse into folders; `true` when it always does. */
  recursive?: string | true;
  /** Options that make the program follow the links it meets; `true` when it always does. */
  followsLinks?: string | true;
  /** Effects of every use, whatever the arguments are. */
  does?: readonly FixedEffect[];
  /** Specs by the first operand; each key is one or more names. The program's own options stand before the subcommand. */
  subcommands?: Readonly<Record<string, ProgramSpec>>;
  /**
   * Options before the subcommand that do nothing to the machine. Where this stands, every other unknown option there
   * counts as one that names a program: `podman --conmon=./x ps`.
   */
  harmlessGlobals?: string;
  /** The spec for every other first operand. */
  otherwise?: ProgramSpec;
  /** Options end at the first operand, because later words belong to the program that it runs: `python3 x.py -c`. */
  optionsFirst?: true;
  /** Options behind which all words are operands: `python3 -m module -c`. */
  lastOption?: string;
  /** Options have effects beyond reading that only `special` knows. */
  actsByOptions?: true;
  /** Options are whole words with one dash: `-name`, `-exec`. */
  wordOptions?: true;
  /** The program does not change the command that it runs, as `timeout` and `nice` do not. */
  isTransparent?: true;
  /**
   * Files of the working folder that say what the program does without being named: names, globs, and folders that end in
   * `/`, separated by spaces.
   */
  configuredBy?: string;
  /** Options such as `-C` and `--cwd` that name the program's working folder. */
  folderOption?: string;
  /** Adds effects that data cannot express, from the parsed words. */
  special?: (act: EffectSink) => void;
  /** For a shell or an interpreter: returns whether it runs its standard input when given these words. */
  runsInput?: (args: readonly ShellWord[]) => boolean;
  /** The program runs shell scripts. */
  isShell?: true;
};

/** A given option, with its value if there is one. */
export type GivenOption = {
  name: string;
  word: ShellWord;
  value: ShellWord | null;
  role: OperandRole | null;
  does: readonly FixedEffect[];
};

export type ParsedWords = {
  options: readonly GivenOption[];
  operands: readonly ShellWord[];
  /** The first word that may become an option at run time; `onlyReads` when no option of the program does more than read. */
  mayBeOption: { word: ShellWord; onlyReads: boolean } | null;
};

/** One command, with functions that add its effects. */
export type EffectSink = {
  parsed: ParsedWords;
  command: ResolvedCommand;
  /** Gives a word a role in the command. */
  role: (role: OperandRole, word: ShellWord, recursive?: boolean) => void;
  /**
   * Adds an effect or a note.
   * @param word the word that is the evidence; by default the command's name
   */
  does: (does: FixedEffect, word?: ShellWord) => void;
  /** Notes a file or folder whose content decides what the command does. */
  content: (as: ContentSource["as"], word: ShellWord, more?: SourceFacts) => void;
  /** Adds a program in the language of this program, which is searched for commands and URLs. */
  code: (text: string, word: ShellWord) => void;
  /** Adds a script for the shell of another machine, whose files are not local. */
  elsewhere: (text: string) => void;
  /**
   * Runs a command that stands in these words.
   * @param more `isRecursive`: the paths stand for everything below them, like `{}` of `find -exec`; `unknown`: the
   * effect of a program without a spec
   */
  run: (words: readonly ShellWord[], isTransparent?: boolean, more?: { isRecursive?: boolean; unknown?: FixedEffect }) => void;
};

/** The spec of a program, with all names of the program. */
export type Program = { names: readonly string[]; spec: ProgramSpec };

export function program(names: string, spec: ProgramSpec): Program {
  return { names: names.split(" "), spec };
}

/** Returns the last given option with one of these names. */
export function givenOption({ options }: ParsedWords, names: string): GivenOption | undefined {
  const wanted = names.split(" ");
  return options.findLast(({ name }) => wanted.includes(name));
}

/** Runs code in files of the folder, which anybody may have written: `make`, `npm test`. */
export const runsFolderCode: FixedEffect = {
  kind: "execute",
  target: { where: "inside" },
  note: "shell.written_program",
  says: "runs code from files in the folder",
};

/**
 * Does with the rights of the machine what a file of the folder says, as `docker compose` does. A rule that allows the
 * program says nothing of that file.
 */
export const configuredByFile: FixedEffect = {
  kind: "execute",
  target: { where: "inside" },
  note: "shell.written_program",
  says: "does what a file of the folder says, with the rights of the machine",
};

/** Starts a program that words or files of the command name. */
export const runsAnother: FixedEffect = {
  kind: "execute",
  target: { where: "not_known" },
  note: "shell.runs_command",
  says: "starts another program",
};
/** Loads a library or a module, whose code then runs inside the program. */
export const loadsCode: FixedEffect = {
  kind: "execute",
  target: { where: "not_known" },
  note: "shell.loads_code",
  says: "loads code from a file",
};

/** Runs a program that the guard does not know. */
export const runsUnknown: FixedEffect = { kind: "execute", target: { where: "not_known" } };

export const writesByOption: FixedEffect = {
  note: "shell.text_program_writes",
  says: "is told to write a file, though it is a program that looks",
};

/** An option by which a reading program writes a file; a rule for the program's name does not show this. */
export const quietlyWrites = { role: "writes", does: [writesByOption] } as const;

export const readsUnknown: FixedEffect = { kind: "read", target: { where: "not_known" } };
export const writesUnknown: FixedEffect = { kind: "write", target: { where: "not_known" } };
export const writesFolder: FixedEffect = { kind: "write", target: { where: "inside", path: "." } };

export const connectsTo = (host: string): FixedEffect => ({ kind: "connect", target: { where: "outside", host } });
/** Connects to hosts that no word of the command names. */
export const connects: FixedEffect = { kind: "connect", target: { where: "not_known" } };
export const sends: FixedEffect = { kind: "send", target: { where: "not_known" } };
export const uploads: FixedEffect = { note: "shell.upload", says: "sends the content of a file away" };
export const remoteCommand: FixedEffect = {
  kind: "execute",
  target: { where: "outside" },
  note: "shell.remote_command",
  says: "runs a command on another machine",
};
/** Sends something that others see and that cannot be taken back. */
export const sendsTo = (host: string): FixedEffect => ({ kind: "send", target: { where: "outside", host } });

/** Builds an effect beyond the sandbox's control: another user, a privileged daemon, the machine itself. */
export function elevates(note: string, says: string): FixedEffect {
  return { kind: "elevate", target: { where: "outside" }, note, says };
}

/** Builds an effect that loses irreplaceable data. */
export function destroys(note: string, says: string): FixedEffect {
  return { kind: "delete", target: { where: "inside" }, irreversible: true, note, says };
}

/** Builds an effect that loses data of a service, on which others may depend. */
export function destroysElsewhere(says: string): FixedEffect {
  return { kind: "delete", target: { where: "outside" }, irreversible: true, note: "shell.delete_service_data", says };
}

export function notes(note: string, says: string): FixedEffect {
  return { note, says };
}

/**
 * Adds the effects of a reading program whose second operand is an output file (`uniq input output`); a glob may become
 * both.
 */
export function readsThenWrites({ parsed: { operands }, role, does }: EffectSink): void {
  const [input, second] = operands;
  const output = second ?? (input?.certainty === "literal" ? undefined : input);
  if (input) role("reads", input);
  if (!output) return;
  role("writes", output);
  for (const one of quietlyWrites.does) does(one, output);
}

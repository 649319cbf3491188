import type { ShellWord } from "./words";

export type Redirection = { operator: string; target: ShellWord; folder: string | null; likelyFolder: string };
/** A text that a script passes on; `unknown` when the shell expands something in it. */
export type GivenText = Pick<ShellWord, "value" | "certainty">;
export type AssignedVariable = { name: string; value: ShellWord | null };

/** One command with its arguments, anywhere in the script. */
export type SimpleCommand = {
  /** The text as written, with quotes and assignments. */
  text: string;
  start: number;
  end: number;
  /** The index in `ShellScript.commands`. */
  index: number;
  /** The name comes first; empty for a command that only assigns or redirects. */
  words: readonly ShellWord[];
  assignments: readonly AssignedVariable[];
  redirections: readonly Redirection[];
  /** The working folder, relative to the conversation's folder or absolute; null when a `cd` before it may have failed. */
  folder: string | null;
  /** The working folder if each `cd` before the command succeeds. */
  likelyFolder: string;
  /** The standard input, when the script writes it out: a here-document, a here-string, or an `echo` piped into the command. */
  input: GivenText | null;
  /** The commands before it in the pipeline, as a range of `ShellScript.commands`. */
  pipedFrom: { start: number; end: number } | null;
  /** The index of the command whose words contain this command as a substitution. */
  inside: number | null;
  /** Whether the command stands in `$(…)`, backticks or `<(…)`. */
  isSubstituted: boolean;
  background: boolean;
  /** The functions whose bodies contain the command. */
  functions: readonly string[];
};

export type ShellScript = {
  text: string;
  commands: readonly SimpleCommand[];
  /** Redirections of loops, groups and functions. */
  redirections: readonly Redirection[];
  /** The names of the functions that the script defines. */
  functions: ReadonlySet<string>;
  /** The values that loops assign to their variables. */
  loopVariables: readonly AssignedVariable[];
  /** Places where shells evaluate variables; some shells then run commands inside them, as in `a[$(id)]`. */
  evaluations: readonly { start: number; end: number }[];
  /** The reason why the text cannot be read with certainty, so that commands may be missing here; null when it can. */
  unreadable: string | null;
};

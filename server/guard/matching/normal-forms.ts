import { hasSubcommands, isHarmlessOption, shapeOfOption } from "../programs/leading-options";
import type { ProgramSpec } from "../programs/program";
import { findProgram } from "../programs/programs";
import type { ResolvedCommand } from "../script/resolved-command";

/**
 * The normal form of a command: the program by its last name, without the options that stand before its subcommand or
 * operands. Options of unknown programs may take the next word or not, so one command can have several normal forms.
 */
export type NormalForms = {
  /** Every form that the command may have; forms equal to the words as they stand are left out. */
  plausible: readonly string[];
  /** The command has more forms than are listed. */
  isCut: boolean;
};

const maxForms = 32;
/** Total length of a command's forms, in characters beyond its own length. */
const maxChars = 16_000;
/** Operands that are read before the rest stays as written: `docker compose up`, `kubectl rollout restart`. */
const maxOperands = 3;
/** Position and operands that are visited at most. */
const maxVisits = 200;

const none: NormalForms = { plausible: [], isCut: false };
const known = new WeakMap<ResolvedCommand, NormalForms>();

/** Returns the normal forms that a rule looks for when it denies or asks. Computed once per command. */
export function normalForms(command: ResolvedCommand): NormalForms {
  const before = known.get(command);
  if (before) return before;
  const found = findForms(command);
  known.set(command, found);
  return found;
}

function findForms({ words, name }: ResolvedCommand): NormalForms {
  if (name === "") return none;
  const values = words.map(({ value }) => value);
  const program = lastName(name);
  // A line of many options (`ffmpeg -i a -c copy …`) has many readings, and only its first operand is what a rule names.
  const depths = hasSubcommands(program, findProgram(program, "literal")) ? [maxOperands, 1] : [1];
  let found = none;
  for (const depth of depths) {
    const reader = new FormReader(values, depth);
    reader.read(program, 1);
    found = reader.forms();
    if (!found.isCut) break;
  }
  return found;
}

const lastName = (name: string): string => name.slice(name.lastIndexOf("/") + 1) || name;

/** `pip3.11` is `pip`. */
const versioned = /^(python|pip|node|ruby|perl|php|psql)[\d.]+$/;

type State = { at: number; operands: readonly string[]; spec: ProgramSpec | null; name: string; isSkipped: boolean };

/** Finds the forms of one command. */
class FormReader {
  private readonly found = new Set<string>();
  private readonly visited = new Set<string>();
  private charsLeft: number;
  private visitsLeft = maxVisits;
  private isCut = false;

  constructor(
    private readonly values: readonly string[],
    private readonly depth: number,
  ) {
    this.charsLeft = maxChars + values.reduce((sum, value) => sum + value.length + 1, 0);
  }

  forms(): NormalForms {
    return this.found.size === 0 && !this.isCut ? none : { plausible: [...this.found], isCut: this.isCut };
  }

  /** Reads the words from a position as the arguments of a program. */
  read(program: string, from: number): void {
    const spec = findProgram(program, "literal");
    const renamed = this.values[0] !== program || from > 1;
    const names = [program];
    const plain = versioned.exec(program)?.[1];
    if (plain) names.push(plain);
    // `git-commit` and `docker-compose` are spellings of a program with its subcommand.
    const dash = program.indexOf("-");
    if (dash > 0 && findProgram(program.slice(0, dash), "literal")?.subcommands) names.push(program.replace("-", " "));
    for (const [index, name] of names.entries()) {
      if (renamed || index > 0) this.note(name, [], from);
      this.walk({ at: from, operands: [], spec, name: program, isSkipped: false }, name);
    }
  }

  private walk(start: State, written: string): void {
    const open: State[] = [start];
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      const { at, operands, spec, name, isSkipped } = state;
      const value = this.values[at];
      if (value === undefined) continue;
      const key = `${written} ${at} ${isSkipped} ${operands.join(" ")}`;
      if (this.visited.has(key)) continue;
      this.visited.add(key);
      this.visitsLeft -= 1;
      if (this.visitsLeft < 0) {
        this.isCut = true;
        return;
      }
      if (value === "--") {
        this.note(written, operands, at + 1);
        continue;
      }
      if (!isOption(value)) {
        if (isSkipped) this.note(written, operands, at);
        if (operands.length + 1 < this.depth) open.push(this.withOperand(state, value));
        continue;
      }
      if (value === "-m" && /^(?:python|pypy)[\d.]*$/.test(name) && this.values[at + 1] !== undefined)
        this.read(String(this.values[at + 1]), at + 2);
      const shape = shapeOfOption(value, name, spec);
      if (shape !== "valued") open.push({ ...state, at: at + 1, isSkipped: true });
      if (shape !== "bare") open.push({ ...state, at: at + 2, isSkipped: true });
    }
  }

  private withOperand({ at, operands, spec, isSkipped }: State, value: string): State {
    const sub = Object.entries(spec?.subcommands ?? {}).find(([names]) => names.split(" ").includes(value))?.[1];
    return { at: at + 1, operands: [...operands, value], spec: sub ?? spec?.otherwise ?? spec, name: value, isSkipped };
  }

  /** Notes the form with these operands before the words from a position on. */
  private note(program: string, operands: readonly string[], from: number): void {
    const text = [program, ...operands, ...this.values.slice(from)].join(" ");
    if (this.found.has(text)) return;
    if (this.found.size >= maxForms || text.length > this.charsLeft) {
      this.isCut = true;
      return;
    }
    this.charsLeft -= text.length;
    this.found.add(text);
  }
}

const isOption = (value: string): boolean => value.length > 1 && value.startsWith("-");

/**
 * Returns the normal form that an allow rule may match: an installed program by its last name, without options that only
 * change how much is printed. Null when there is nothing to set aside, or when something else stands before the
 * subcommand: `git -c core.pager=x log` runs more than `git log`.
 */
export function harmlessForm({ words, name, within }: ResolvedCommand): { written: string; plain: string; name: string } | null {
  const [first, ...args] = words;
  if (name === "" || name.includes("/")) return null;
  const spec = findProgram(name, "literal");
  let at = 0;
  for (; at < args.length; at += 1) {
    const word = args[at];
    if (word?.certainty !== "literal" || word.text !== word.value || !isHarmlessOption(word.value, name, spec)) break;
  }
  if (at === 0 && first.value === name) return null;
  const next = args[at];
  if (next && isOption(next.value)) return null;
  const start = next ? next.start - within.start : -1;
  const rest =
    next && start > 0 && start < within.text.length
      ? within.text.slice(start)
      : args
          .slice(at)
          .map(({ text }) => text)
          .join(" ");
  const plain = args.slice(at).map(({ value }) => value);
  return { written: rest === "" ? name : `${name} ${rest}`, plain: [name, ...plain].join(" "), name };
}

import {
  type Command,
  type For,
  forEachChild,
  type Pipeline,
  parse,
  type Redirect,
  type Redirection,
  type Select,
  type SyntaxNode,
  type Word,
} from "unbash";
import { whole } from "@/server/platform/char-codes";
import { excerpt } from "../excerpt";
import { hasOddBraces } from "./expand-braces";
import { withoutHereDocuments } from "./here-documents";
import { invisibleCharacterIn, obstacleOf } from "./obstacles";
import type { ReadingBudget } from "./reading-budget";

/** One command with its arguments, wherever in the script it stands. */
export type SimpleCommand = {
  /** As it was written, quotes and all. */
  text: string;
  node: Command;
  /** Its place in `ShellScript.commands`. */
  index: number;
  /** The command in whose words it stands, as a substitution: its place in `ShellScript.commands`. */
  inside: number | null;
  /** Its input comes from these: a range of `ShellScript.commands`. */
  pipedFrom: { start: number; end: number } | null;
  /** What is redirected to the loop, group or function around it: `while read x; do ...; done < list`. */
  redirected: readonly Redirection[];
  background: boolean;
  /** What it assigns may be gone after it, or never have been: in a subshell, a pipe, the background or a branch. */
  mayNotLast: boolean;
  /** Functions in whose bodies it stands. */
  functions: readonly string[];
  /** It stands in a loop or a function: what stands behind it may have run before it. */
  repeats: boolean;
  /** It stands in a loop. */
  inLoop: boolean;
};

export type ShellScript = {
  /** Every simple command in reading order: of pipelines, lists, bodies, functions and substitutions. */
  commands: readonly SimpleCommand[];
  redirects: readonly Redirect[];
  loops: readonly (For | Select)[];
  /** The text of each function, by its name. */
  functions: ReadonlyMap<string, string>;
  /** Bodies of `(( ))`, which some shells run as commands. */
  arithmeticBodies: readonly string[];
  /** Texts of here-documents that were put aside, by what the parser saw in their place. */
  hereDocuments: ReadonlyMap<string, string>;
  /** The first thing that no allow rule covers. */
  obstacle: string | null;
  /** Why the text cannot be read with certainty; what was read of it may then not be all. */
  unreadable: string | null;
  /** The text with its continued lines joined, where that reads as something else. */
  joined: string | null;
};

type Surroundings = Pick<SimpleCommand, "inside" | "pipedFrom" | "redirected" | "background" | "mayNotLast" | "functions" | "inLoop"> & {
  source: string;
};

const nowhere = { inside: null, pipedFrom: null, redirected: [], background: false, mayNotLast: false, functions: [], inLoop: false };

/**
 * Reads a text as bash does. What cannot be read is said in `unreadable`.
 * @throws Error when the text is too much
 */
export function readScript(text: string, budget: ReadingBudget): ShellScript {
  const { kinds, ...script } = readAsWritten(text, budget);
  const joined = text.includes("\\\n") ? joinLines(text) : text;
  if (joined === text) return script;
  // Shells join lines before they look for words, even between a `$` and what it expands; a parser may be late.
  if (readAsWritten(joined, budget).kinds.join(" ") === kinds.join(" ")) return script;
  return { ...script, unreadable: script.unreadable ?? "it reads as something else when its continued lines are joined", joined };
}

/** Without the backslashes that continue a line on the next one, in quotes and comments too. */
function joinLines(text: string): string {
  return text.replace(/(?<!\\)((?:\\\\)*)\\\n/g, "$1");
}

type Read = ShellScript & { kinds: readonly string[] };

function readAsWritten(text: string, budget: ReadingBudget): Read {
  const { text: shortened, bodies } = withoutHereDocuments(text);
  budget.spendOn(shortened);
  const script = readWhole(shortened, text, bodies);
  if (script.hereDocuments.size === bodies.size) return script;
  // What looked like here-documents stands in a text or a comment.
  budget.spendOn(text);
  return readWhole(text, text, new Map());
}

function readWhole(script: string, text: string, bodies: ReadonlyMap<string, string>): Read {
  const reading = new Reading(script, bodies);
  try {
    reading.visit(parse(whole(script)), { source: script, ...nowhere });
  } catch (error) {
    reading.unreadable ??= error instanceof Error && error.message ? error.message : "the parser gave up";
  }
  const character = invisibleCharacterIn(text);
  return { ...reading.found(), obstacle: character ?? reading.obstacle, unreadable: reading.unreadable, joined: null };
}

class Reading {
  obstacle: string | null = null;
  unreadable: string | null = null;
  private readonly commands: SimpleCommand[] = [];
  private readonly redirects: Redirect[] = [];
  private readonly loops: (For | Select)[] = [];
  private readonly functions = new Map<string, string>();
  private readonly arithmeticBodies: string[] = [];
  private readonly hereDocuments = new Map<string, string>();
  /** What was met, in reading order. */
  private readonly kinds: string[] = [];
  /** Characters that may still be read; a nested expansion is read again at each level, so depth costs. */
  private charsLeft: number;

  constructor(
    text: string,
    private readonly bodies: ReadonlyMap<string, string>,
  ) {
    this.charsLeft = 50_000 + 6 * text.length;
  }

  found() {
    const { commands, redirects, loops, functions, arithmeticBodies, hereDocuments, kinds } = this;
    return { commands, redirects, loops, functions, arithmeticBodies, hereDocuments, kinds };
  }

  visit(node: SyntaxNode, around: Surroundings): void {
    this.obstacle ??= obstacleOf(node, around.source);
    this.kinds.push(node.type);
    this.note(node, around);
    if (node.type === "Pipeline") this.visitPipeline(node, around);
    else {
      const inside = this.surroundingsInside(node, around);
      forEachChild(node, (child) => this.visit(child, inside));
    }
  }

  private note(node: SyntaxNode, around: Surroundings): void {
    const { source, inside, pipedFrom, redirected, background, mayNotLast, functions, inLoop } = around;
    switch (node.type) {
      case "Script": {
        const [error] = node.errors ?? [];
        if (error) this.unreadable ??= `${error.message} at character ${error.pos + 1}`;
        break;
      }
      case "Command":
        this.obstacle ??= strayTextIn(node, source);
        this.commands.push({
          text: source.slice(node.pos, node.end),
          node,
          index: this.commands.length,
          inside,
          pipedFrom,
          redirected,
          background,
          mayNotLast,
          functions,
          repeats: inLoop || functions.length > 0,
          inLoop,
        });
        break;
      case "Redirect":
        this.redirects.push(node);
        break;
      case "For":
      case "Select":
        this.loops.push(node);
        break;
      case "Function":
        this.functions.set(node.name.value, source.slice(node.pos, node.end));
        break;
      case "ArithmeticCommand":
        this.arithmeticBodies.push(node.body);
        break;
      case "HereDoc": {
        const body = this.bodies.get(node.body.text);
        if (body !== undefined) this.hereDocuments.set(node.body.text, body);
        break;
      }
      case "Word": {
        const missed = missedSubstitutionIn(node);
        if (missed) this.unreadable ??= `a substitution is hidden in \`${excerpt(missed)}\``;
        if (hasOddBraces(node)) this.obstacle ??= `braces that shells read differently \`${excerpt(node.text)}\``;
        this.spend(node.end - node.pos);
        break;
      }
      case "CommandExpansion":
      case "ArithmeticCommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticExpansion":
      case "ParameterExpansion":
      case "HereDocBody":
        this.spend(node.end - node.pos);
        if ("script" in node && node.script === undefined) this.unreadable ??= "a substitution could not be read";
        break;
    }
  }

  private visitPipeline({ prefixes, commands }: Pipeline, around: Surroundings): void {
    for (const prefix of prefixes) this.visit(prefix, around);
    const start = around.pipedFrom?.start ?? this.commands.length;
    const each = commands.length > 1 ? { ...around, mayNotLast: true } : around;
    for (const [index, element] of commands.entries()) {
      const piped = { pipedFrom: { start, end: this.commands.length }, redirected: nowhere.redirected };
      this.visit(element, index > 0 ? { ...each, ...piped } : each);
    }
  }

  private spend(chars: number): void {
    this.charsLeft -= chars;
    if (this.charsLeft < 0) throw new Error("it is nested too deeply");
  }

  private surroundingsInside(node: SyntaxNode, around: Surroundings): Surroundings {
    switch (node.type) {
      case "Script":
        // Escaped backticks are decoded first, and the positions inside count in the decoded text.
        return node.source === undefined ? around : { ...around, source: node.source };
      case "Command":
        // It was noted just before its words are looked at. What pipes into it does not pipe into its substitutions.
        return { ...around, inside: this.commands.length - 1 };
      case "Redirected":
        return node.redirects.some(isInput) ? { ...around, redirected: node.redirects } : around;
      case "Statement":
        return node.background ? { ...around, background: true, mayNotLast: true } : around;
      case "Function":
        return { ...around, functions: [...around.functions, node.name.value] };
      case "While":
        return { ...around, inLoop: true, mayNotLast: true };
      case "For":
      case "Select":
      case "ArithmeticFor":
        return { ...around, inLoop: true };
      case "AndOr":
      case "Case":
      case "CommandExpansion":
      case "Coproc":
      case "If":
      case "ProcessSubstitution":
      case "Subshell":
        return around.mayNotLast ? around : { ...around, mayNotLast: true };
      default:
        return around;
    }
  }
}

const isInput = ({ operator }: Redirection): boolean => operator.startsWith("<");

/** What stands between the words of a command that is no word, such as the `(` of `ls (`: the parser passes over it. */
function strayTextIn({ pos, end, prefix, name, suffix, redirects }: Command, source: string): string | null {
  // The text of a here-document stands somewhere else, and none is covered by a rule.
  if (redirects.some(({ type }) => type === "HereDoc")) return null;
  let at = pos;
  for (const part of [...prefix, ...(name ? [name] : []), ...suffix]) {
    const stray = source.slice(at, part.pos).replace(/\\\n/g, "").trim();
    if (stray !== "") return `a stray \`${excerpt(stray)}\``;
    at = part.end;
  }
  const after = afterBlanks.exec(source.slice(end, end + maxBlanks))?.[1] ?? "";
  return "(<>`{".includes(after) && after !== "" ? `a stray \`${after}\`` : null;
}

/**
 * A `<(` or `>(` that the parser took for plain text, as it does behind a number: `ls 1>(rm x)` runs rm. Such a word is
 * one piece of text for the parser, so that what stands in the parentheses was not read.
 */
function missedSubstitutionIn({ text, parts }: Word): string | null {
  if (!text.includes("<(") && !text.includes(">(")) return null;
  const bare = parts ? parts.flatMap((part) => (part.type === "Literal" ? [part.text] : [])) : [text];
  return bare.some((piece) => /[<>]\(/.test(piece.replace(/\\./gs, ""))) ? text : null;
}

const maxBlanks = 100;
const afterBlanks = /^(?:[ \t]|\\\n)*(.?)/s;

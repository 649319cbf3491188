import { type Command, forEachChild, type ParsedScript, parse, type Redirection as RedirectionNode, type SyntaxNode } from "unbash";
import { whole } from "@/server/platform/char-codes";
import { blankHereDocuments } from "./here-documents";
import { whyCommandMisread, whyMisread, whyWordMisread } from "./misread";
import { printedBy } from "./printed-text";
import type { ReadingBudget } from "./reading-budget";
import type { AssignedVariable, GivenText, Redirection, ShellScript, SimpleCommand } from "./shell-script";
import { expandWord, type KnownVariables, type MachineFolders, resolveWord, type ShellWord } from "./words";
import { mayMove, type Start, WorkingFolder } from "./working-folder";

type Around = Pick<SimpleCommand, "pipedFrom" | "inside" | "isSubstituted" | "background" | "functions" | "input"> & {
  /** The text that positions refer to, and the offset to add; null when they refer to a decoded copy. */
  source: string;
  offset: number | null;
};

/**
 * Reads a text as bash does.
 * @param folder the working folder at the start: relative to the conversation's folder, or absolute; null when unknown
 * @param machine the folders of the machine of a client that runs the call itself
 * @throws TooMuchToRead when the text is too long, dense or deep
 */
export function readScript(text: string, budget: ReadingBudget, folder: string | null = ".", machine?: MachineFolders): ShellScript {
  const { text: blanked, bodies } = blankHereDocuments(text);
  budget.spendOn(blanked);
  const reading = read(blanked, { folder, machine }, text);
  // A guessed here-document stands in a quote or a comment, so the original text is read.
  if (!bodies.every(({ start }) => reading.bodies.has(start))) {
    budget.spendOn(text);
    return { ...read(text, { folder, machine }).found(), text };
  }
  return { ...reading.found(), text };
}

function read(text: string, start: Start, original = text): Reading {
  const reading = new Reading(text, start, original);
  const around = { pipedFrom: null, input: null, inside: null, isSubstituted: false, background: false, functions: [] };
  try {
    reading.visit(parse(whole(text)), { ...around, source: text, offset: 0 });
  } catch (error) {
    reading.unreadable ??= error instanceof Error && error.message ? error.message : "the parser gave up";
  }
  reading.unreadable ??= whyMisread(text);
  return reading;
}

class Reading {
  unreadable: string | null = null;
  /** The positions at which texts of here-documents begin. */
  readonly bodies = new Set<number>();
  private readonly commands: SimpleCommand[] = [];
  private readonly redirections: Redirection[] = [];
  private readonly functions = new Set<string>();
  private readonly evaluations: { start: number; end: number }[] = [];
  private readonly loopVariables: AssignedVariable[] = [];
  private readonly folder: WorkingFolder;
  /** Limit of characters to visit: nested expansions are visited once per level, so depth costs. */
  private charsLeft: number;

  constructor(
    text: string,
    start: Start,
    /** The text with the original here-documents, which `text` replaces by letters. */
    private readonly original: string,
  ) {
    this.folder = new WorkingFolder(text, start);
    this.charsLeft = 50_000 + 6 * text.length;
  }

  found() {
    const { redirections, functions, loopVariables, evaluations, unreadable } = this;
    // A script that redefines `echo` decides what it prints.
    const isRedefined =
      ["echo", "printf", "cat"].some((name) => functions.has(name)) ||
      this.commands.some(({ words: [name] }) => /^(?:alias|enable)$/.test(name?.value ?? ""));
    const commands = isRedefined ? this.commands.map((command) => ({ ...command, input: null })) : this.commands;
    return { commands, redirections, functions, loopVariables, evaluations, unreadable };
  }

  visit(node: SyntaxNode, around: Around): void {
    switch (node.type) {
      case "Script":
        this.visitScript(node, around);
        return;
      case "CompoundList":
        for (const statement of node.commands) this.visitApart(statement, around);
        return;
      case "Statement":
        if (!node.background) {
          this.visit(node.command, around);
          return;
        }
        this.folder.inSubshell(() => this.visit(node.command, { ...around, background: true }));
        return;
      case "AndOr":
        this.visitAndOr(node, around);
        return;
      case "Pipeline":
        this.visitPipeline(node.commands, around);
        // `! cd a || exit`: the commands behind it run when the `cd` has failed.
        if (node.prefixes.some(({ type }) => type === "Negation") && mayMove.test(around.source.slice(node.pos, node.end)))
          this.folder.certain = null;
        return;
      case "Command":
        this.visitCommand(node, around);
        return;
      case "Redirected":
        this.redirections.push(...this.redirectionsOf(node.redirects, around));
        for (const redirect of node.redirects) this.visitParts(redirect, around);
        this.visit(node.command, { ...around, input: null });
        return;
      case "Function":
        this.visitFunction(node, around);
        return;
      case "If":
      case "While":
      case "For":
      case "Select":
      case "ArithmeticFor":
      case "Case":
        this.visitCompound(node, around);
        return;
      case "Subshell":
      case "Coproc":
        this.folder.inSubshell(() => this.visitParts(node, around));
        return;
      default:
        this.visitWord(node, around);
    }
  }

  /** Visits a word, a part of one, or another node without commands of its own. */
  private visitWord(node: SyntaxNode, around: Around): void {
    switch (node.type) {
      case "CommandExpansion":
      case "ProcessSubstitution":
      case "ArithmeticCommandExpansion":
        this.spend(node.end - node.pos);
        if (node.script === undefined) this.unreadable ??= "a substitution could not be read";
        this.folder.inSubshell(() => this.visitParts(node, { ...around, isSubstituted: true, pipedFrom: null, input: null }));
        return;
      case "Word":
        this.spend(node.end - node.pos);
        this.unreadable ??= whyWordMisread(node);
        this.visitParts(node, around);
        return;
      case "ParameterExpansion":
        this.spend(node.end - node.pos);
        // `${!x}` and `${x@P}` evaluate the value of the variable.
        if (node.prefix === "!" || node.operation?.type === "Transform") this.evaluations.push({ start: node.pos, end: node.end });
        this.visitParts(node, around);
        return;
      case "TestUnary":
        if (/^-[vR]$/.test(node.operator)) this.evaluations.push({ start: node.pos, end: node.end });
        this.visitParts(node, around);
        return;
      case "ArithmeticExpansion":
      case "ArithmeticCommand":
      case "TestBinary":
        if (computes(around.source.slice(node.pos, node.end))) this.evaluations.push({ start: node.pos, end: node.end });
        this.visitParts(node, around);
        return;
      case "HereDocBody":
        this.bodies.add(node.pos);
        this.spend(node.end - node.pos);
        this.visitParts(node, around);
        return;
      default:
        this.visitParts(node, around);
        return;
    }
  }

  private visitParts(node: SyntaxNode, around: Around): void {
    forEachChild(node, (child) => this.visit(child, around));
  }

  private visitAndOr(node: Extract<SyntaxNode, { type: "AndOr" }>, around: Around): void {
    for (const [index, command] of node.commands.entries()) {
      const before = this.folder.certain;
      const mayHaveMoved = mayMove.test(around.source.slice(node.pos, command.pos));
      if (index > 0 && node.operators[index - 1] === "||" && mayHaveMoved && !leavesShell(command)) this.folder.certain = null;
      this.visit(command, around);
      if (index > 0 && leavesShell(command)) this.folder.certain = before;
    }
  }

  private visitFunction(node: Extract<SyntaxNode, { type: "Function" }>, around: Around): void {
    const name = node.name.value;
    this.functions.add(name);
    this.folder.define(name, around.source.slice(node.pos, node.end));
    const before = this.folder.certain;
    this.folder.certain = null;
    this.visit(node.body, { ...around, functions: [...around.functions, name] });
    this.folder.certain = before;
  }

  /** Visits a loop or a choice. */
  private visitCompound(node: SyntaxNode, around: Around): void {
    const before = this.folder.certain;
    if (node.type === "For") {
      const { name, wordlist = [] } = node;
      for (const word of wordlist) this.loopVariables.push({ name: name.value, value: resolveWord(word, this.folder.known()) });
    }
    // A later iteration begins in the folder to which an earlier iteration moved.
    if (mayMove.test(around.source.slice(node.pos, node.end))) this.folder.certain = null;
    this.visitParts(node, around);
    if (this.folder.certain !== before) this.folder.certain = null;
  }

  private visitScript(script: ParsedScript, around: Around): void {
    const [error] = script.errors ?? [];
    if (error) this.unreadable ??= `${error.message} at character ${error.pos + 1}`;
    const inside = script.source === undefined ? around : { ...around, source: script.source, offset: null };
    for (const statement of script.commands) this.visitApart(statement, inside);
  }

  /** Visits a separate statement: the next statement runs even when a `cd` inside has failed. */
  private visitApart(statement: SyntaxNode, around: Around): void {
    const before = this.folder.certain;
    this.visit(statement, around);
    if (this.folder.certain !== before && !/\|\|\s*(?:exit|return)\b[^;&|]*$/.test(around.source.slice(statement.pos, statement.end)))
      this.folder.certain = null;
  }

  private visitPipeline(commands: readonly SyntaxNode[], around: Around): void {
    const [only] = commands;
    if (only && commands.length === 1) {
      this.visit(only, around);
      return;
    }
    const start = around.pipedFrom?.start ?? this.commands.length;
    let before = this.commands.length;
    for (const [index, command] of commands.entries()) {
      const end = this.commands.length;
      const input = index > 0 && end === before + 1 ? printedBy(this.commands[before]) : null;
      // The commands of a group or a loop share its input.
      const isSimple = command.type === "Command";
      const piped = index > 0 ? { ...around, pipedFrom: { start, end }, input: isSimple ? input : null } : { ...around, input: null };
      before = end;
      this.folder.inSubshell(() => this.visit(command, piped));
    }
  }

  private visitCommand(node: Command, around: Around): void {
    const { source, offset, ...rest } = around;
    const known = this.folder.known();
    const outer = around.inside === null ? null : this.commands[around.inside];
    const place = (start: number, end: number) =>
      offset === null ? { start: outer?.start ?? 0, end: outer?.end ?? 0 } : { start: start + offset, end: end + offset };
    const placed = (word: ShellWord): ShellWord => (offset === null ? { ...word, ...place(0, 0) } : word);
    const words = node.name ? expandWord(node.name, known) : [];
    const assignments: AssignedVariable[] = [];
    for (const part of node.prefix) if (part.type === "Assignment") assignments.push(assigned(part, known));
    for (const part of node.args) {
      if (part.type === "Word") words.push(...expandWord(part, known));
      // `export PATH=x`: an argument for the command, and an assignment for the shell.
      else words.push({ text: part.text, value: part.text, certainty: "literal", start: part.pos, end: part.end });
    }
    const command: SimpleCommand = {
      ...rest,
      text: source.slice(node.pos, node.end),
      ...place(node.pos, node.end),
      index: this.commands.length,
      words: words.map(placed),
      assignments,
      redirections: this.redirectionsOf(node.redirects, around),
      folder: this.folder.certain,
      likelyFolder: this.folder.likely,
      input: this.inputOf(node.redirects, around),
    };
    this.commands.push(command);
    this.unreadable ??= whyCommandMisread(node, source);
    this.visitParts(node, { ...around, inside: command.index, pipedFrom: null, input: null });
    this.folder.follow(words);
  }

  private inputOf(redirects: readonly RedirectionNode[], { input, offset }: Around): GivenText | null {
    const last = redirects.findLast(({ operator, descriptor }) => operator.startsWith("<") && descriptor === undefined);
    if (last === undefined) return input;
    if (last.type === "HereString") return last.target ? resolveWord(last.target, this.folder.known()) : null;
    if (last.type !== "HereDoc") return null;
    const { body, delimiter } = last;
    const text = offset === null ? body.text : this.original.slice(body.pos + offset, body.end + offset);
    const value = last.operator === "<<-" ? text.replace(/^\t+/gm, "") : text;
    return { value, certainty: delimiter?.quoted || !/[$`\\]/.test(value) ? "literal" : "unknown" };
  }

  private redirectionsOf(redirects: readonly RedirectionNode[], { offset }: Around): Redirection[] {
    return redirects.flatMap((redirect) => {
      if (redirect.type !== "Redirect" || !redirect.target) return [];
      const { operator, target } = redirect;
      if (/^[<>]&$/.test(operator) && /^(?:\d+|-)$/.test(target.value)) return [];
      const { certain: folder, likely: likelyFolder } = this.folder;
      return [{ operator, target: resolveWord(target, this.folder.known(), offset ?? 0), folder, likelyFolder }];
    });
  }

  private spend(chars: number): void {
    this.charsLeft -= chars;
    if (this.charsLeft < 0) throw new Error("it is nested too deeply");
  }
}

const leavesShell = (node: SyntaxNode): boolean => node.type === "Command" && /^(?:exit|return)$/.test(node.name?.value ?? "");

/** Returns whether arithmetic contains more than numbers, or a numeric test compares more than numbers. */
function computes(text: string): boolean {
  if (/^\$?\(\(/.test(text)) return !/^[$(\s\d+*/%)-]*$/.test(text);
  const [, left = "", right = ""] = /^(.*?)\s+-(?:eq|ne|lt|le|gt|ge)\s+(.*)$/s.exec(text) ?? [];
  return left !== "" && ![left, right].every((side) => /^(?:-?\d+|"?\$[#?]"?)$/.test(side.trim()));
}

function assigned(part: Extract<Command["prefix"][number], { type: "Assignment" }>, known: KnownVariables): AssignedVariable {
  const { name, value, index } = part;
  return { name, value: value.type === "Word" && !index ? resolveWord(value, known) : null };
}

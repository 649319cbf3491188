import { maskInText } from "@/server/secrets/mask-secrets";
import { needsMachine } from "../effects/effect-boundaries";
import type { ShellReading } from "../effects/effects-of-script";
import type { CommandPart } from "../effects/fed-programs";
import { excerpt, visible } from "../excerpt";
import { isHarmlessNode } from "../paths/harmless-node";
import type { ResolvedCommand } from "../script/resolved-command";
import type { Redirection } from "../script/shell-script";
import type { ShellWord } from "../script/words";
import type { AnalyzedCall } from "./analyzed-call";

/** Instructions for a call that has to be split: a sentence for people and the model, and the commands to send alone. */
export type Split = { reason: string; commands: readonly string[] };

/** Programs of the system that may read the output of a command outside of the sandbox. */
const filters = new Set(
  "awk base64 cat column comm cut egrep expand fgrep fmt fold gawk grep gunzip gzip head hexdump jq mawk md5sum nl od paste rev rg sed sha1sum sha256sum sha512sum sort strings tac tail tr uniq wc xxd xz yq zcat zstd".split(
    " ",
  ),
);
/** Builtins and programs of the system that may stand beside the command, because they only print or choose a folder. */
const helpers = new Set(": basename cd date dirname echo exit false hostname id nproc pwd seq set sleep true uname whoami".split(" "));

/** Words that a helper may have: literal, or a plain variable. `${x:=y}` assigns, and `$(...)` runs. */
const isPlain = ({ certainty, text }: ShellWord): boolean => certainty === "literal" || !/`|\$[([]|\$\{(?!\w+\})/.test(text);
/** Options of `set` that let a script stop earlier or print itself; `-a` would export variables. */
const harmlessSetting = /^(?:[-+][eux]+|[-+][eux]*o|pipefail|errexit|nounset|xtrace)$/;

/**
 * Explains how to split a call that leaves the sandbox; null for a call that leaves alone. Only one command that needs the
 * machine may leave, joined with programs of the system that read its output: whatever else stood in the call
 * would run outside with it, although nobody was asked about that.
 */
export function explainSplit({ leavesSandbox, context, shell, scripts, code }: AnalyzedCall): Split | null {
  if (!leavesSandbox || context.place?.outside) return null;
  // A tool without a script declares the effect itself and starts no program, so there is nothing to split.
  if (!shell && !code && scripts.length === 0) return null;
  const reading = shell ?? scripts.find(({ effects }) => effects.some(needsMachine));
  if (!reading || code) return inCode(code?.scripts ?? []);
  const machine = reading.parts.filter(needsTheMachine);
  const [first] = machine;
  if (!first) return inCode([reading]);
  const others = reading.parts.filter((part) => !machine.includes(part) && !mayStandBeside(part, first));
  const hidden = machine.filter((part) => !isDirect(part));
  if (machine.length === 1 && hidden.length === 0 && others.length === 0 && isPlainScript(reading)) return null;
  const commands = machine.map(textOf);
  const rest = others.map(textOf);
  return { reason: [how({ machine, hidden, rest }, reading), ofTheRest(rest)].filter(Boolean).join(" "), commands };
}

const needsTheMachine = ({ effects }: CommandPart): boolean => effects.some(needsMachine);

/** Returns the command that a part runs behind words that change nothing about it, such as `timeout 60`. */
function programOf({ resolved: [outermost, ...inner] }: CommandPart): ResolvedCommand | undefined {
  let program = outermost;
  for (const next of inner) {
    if (!next.isTransparent || next.runBy !== program) break;
    program = next;
  }
  return program;
}

/** Returns whether the program that needs the machine is the part's own, and not one that a shell or `xargs` starts. */
function isDirect(part: CommandPart): boolean {
  const program = programOf(part);
  return (
    program !== undefined &&
    !program.name.includes("/") &&
    part.effects.some((effect) => needsMachine(effect) && effect.target.program === program.name)
  );
}

/** Returns whether a part may run outside together with the command that needs the machine. */
function mayStandBeside({ command, resolved, effects, notes }: CommandPart, machine: CommandPart): boolean {
  const [program, ...inner] = resolved;
  if (!program || inner.length > 0 || notes.length > 0 || command.assignments.length > 0 || command.background) return false;
  const [, ...words] = program.words;
  if (helpers.has(program.name)) {
    if (!words.every(isPlain) || !command.redirections.every(isHarmless)) return false;
    return program.name !== "set" || words.every(({ value }) => harmlessSetting.test(value));
  }
  const { index } = machine.command;
  const readsOutput = command.pipedFrom !== null && command.pipedFrom.start <= index && index < command.pipedFrom.end;
  const isRedirected = (start: number) => command.redirections.some(({ target }) => target.start === start);
  return filters.has(program.name) && readsOutput && effects.every(({ kind, start }) => kind === "read" || isRedirected(start));
}

const isHarmless = ({ target }: Redirection): boolean => target.certainty === "literal" && isHarmlessNode(target.value);

/** Returns whether a script has nothing beside its commands that could run or redirect something. */
function isPlainScript({ script }: ShellReading): boolean {
  return (
    script.unreadable === null &&
    script.functions.size === 0 &&
    script.evaluations.length === 0 &&
    script.loopVariables.length === 0 &&
    script.redirections.every(isHarmless)
  );
}

const alone = "with nothing but programs behind it that read its output, such as `| grep`, `| head` or `| jq`";

type Found = { machine: readonly CommandPart[]; hidden: readonly CommandPart[]; rest: readonly string[] };

function how({ machine, hidden, rest }: Found, { script }: ShellReading): string {
  const [first] = machine;
  const [inner] = hidden;
  if (inner) {
    const programs = [...new Set(inner.effects.filter(needsMachine).map(({ target }) => target.program ?? ""))].map(shown).join(", ");
    return `${shown(textOf(inner))} starts ${programs}, which needs the machine and leaves the sandbox in a call of its own only. Send that command by itself as the whole call, ${alone}.`;
  }
  if (first && machine.length === 1) {
    const why =
      script.unreadable !== null
        ? " The rest of the line cannot be read with certainty."
        : rest.length === 0
          ? " Write values out, without loops, functions and computed variables."
          : "";
    return `${shown(textOf(first))} needs the machine, so it leaves the sandbox in a call of its own only: send it alone, ${alone}.${why}`;
  }
  const steps = machine.map((part) => shown(textOf(part))).join(", then ");
  return `Each command that needs the machine leaves the sandbox in a call of its own only. Send them one by one: ${steps}.`;
}

function ofTheRest(rest: readonly string[]): string {
  if (rest.length === 0) return "";
  const more = rest.length > 3 ? ` and ${rest.length - 3} more` : "";
  return `Send the rest in another call, which runs in the sandbox: ${rest.slice(0, 3).map(shown).join(", ")}${more}.`;
}

/** Explains that code of another language cannot leave the sandbox for the sake of a command that it starts. */
function inCode(scripts: readonly ShellReading[]): Split {
  const commands = scripts.flatMap(({ parts }) => parts.filter(needsTheMachine).map(textOf));
  const named = commands.length > 0 ? ` (${commands.slice(0, 3).map(shown).join(", ")})` : "";
  return {
    reason: `This code starts a command that needs the machine${named}, and code stays in the sandbox. Run that command as a shell command of its own, ${alone}, and hand its output to the code.`,
    commands,
  };
}

const textOf = ({ command }: CommandPart): string => command.text.trim();
const shown = (text: string): string => `\`${excerpt(visible(maskInText(text)))}\``;

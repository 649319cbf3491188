import type { DeclaredEffect } from "../effects/declare-effects";
import { visible } from "../excerpt";
import type { ProgramSpec } from "../programs/program";
import { findProgram } from "../programs/programs";
import type { ResolvedCommand } from "../script/resolved-command";
import type { AnalyzedCall } from "./analyzed-call";

const maxShapeChars = 200;

/**
 * Computes a call's shape, which groups similar calls: program and subcommand of a command, directory of a path, method
 * and host of a URL; otherwise the tool's name.
 * @param call null when the call is too much to read
 */
export function computeCallShape({ tool, arguments: args }: Pick<AnalyzedCall, "tool" | "arguments">, call: AnalyzedCall | null): string {
  const shape = call?.shell ? shapeOfCommands(call.shell.commands) : shapeOfEffect(tool.effects?.(args) ?? [], args);
  return visible(shape || tool.name).slice(0, maxShapeChars);
}

function shapeOfCommands(commands: readonly ResolvedCommand[]): string {
  return [...new Set(leafCommands(commands).map(shapeOfCommand))].join("; ");
}

/** Returns the commands that run no other command, such as `npm` of `sudo npm`. */
export function leafCommands(commands: readonly ResolvedCommand[]): readonly ResolvedCommand[] {
  const wrappers = new Set(commands.map(({ runBy }) => runBy));
  return commands.filter((command) => !wrappers.has(command));
}

function shapeOfCommand({ name, words: [called, ...words], runBy, within }: ResolvedCommand): string {
  const subcommands = findSubcommands(name, findProgram(called.value, called.certainty), words);
  const rest = words.length > subcommands.length ? ["…"] : [];
  const redirected = runBy === null && within.redirections.some(({ operator }) => operator.includes(">")) ? ["> …"] : [];
  return [...wrappersOf(runBy), name || "…", ...subcommands, ...rest, ...redirected].join(" ");
}

function wrappersOf(command: ResolvedCommand | null): string[] {
  return command === null ? [] : [...wrappersOf(command.runBy), command.name || "…"];
}

/** Programs whose first words are a noun and a verb (`gh pr create`), which the program table does not describe. */
const nounAndVerb = new Set(
  "gh hub glab aws gcloud az doctl heroku vercel netlify fly flyctl wrangler supabase firebase stripe railway".split(" "),
);

type Words = readonly ResolvedCommand["words"][0][];

/** Returns the words that select a program's command: `compose up` of `docker compose up -d`. */
export function findSubcommands(name: string, spec: ProgramSpec | null, words: Words): string[] {
  if (nounAndVerb.has(name))
    return words
      .slice(0, 2)
      .filter(isPlain)
      .map(({ value }) => value);
  if (!spec?.subcommands) return [];
  const known = new Map(
    Object.entries(spec.subcommands).flatMap(([names, inner]) => names.split(" ").map((name) => [name, inner] as const)),
  );
  const at = words.findIndex(({ value, certainty }) => certainty === "literal" && known.has(value));
  const word = words[at];
  if (word) return [word.value, ...findSubcommands("", known.get(word.value) ?? null, words.slice(at + 1))];
  // The table does not know this subcommand. Behind an option, the word may be that option's value.
  const [first] = words;
  return first && isPlain(first) ? [first.value] : [];
}

const isPlain = ({ value, certainty }: Words[number]) => certainty === "literal" && /^[a-z][a-z-]{1,30}$/.test(value);

function shapeOfEffect([effect]: readonly DeclaredEffect[], { method }: AnalyzedCall["arguments"]): string {
  if (!effect) return "";
  if (effect.url !== undefined) return `${typeof method === "string" ? method : effect.kind} ${hostOf(effect.url)}`;
  if (effect.host !== undefined) return `${effect.kind} ${effect.host}`;
  const folder = effect.path?.includes("/") ? effect.path.replace(/[^/]*$/, "") : "";
  return effect.path === undefined ? "" : `${effect.kind} ${folder}…`;
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : "…");

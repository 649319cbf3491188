import { attachedValue, isLongOption } from "../shell/long-option";

/** How a program is given its pattern, its program or its script: what it looks for is no path. */
type PatternGrammar = {
  /** Letters whose value is a pattern; then no operand is one. */
  letters: string;
  /** Letters whose value is a file of patterns, or that say that there is none. */
  others: string;
  /** Letters whose value stands in their word, or else is the next one, where that fits `value`. */
  valued: string;
  value: RegExp;
  long: readonly string[];
  otherLong: readonly string[];
  /** Behind its first operand, it has no options. */
  endsAtOperand: boolean;
};

const none = { letters: "", others: "", valued: "", value: /^/, long: [], otherLong: [], endsAtOperand: false } satisfies PatternGrammar;
const grep = {
  ...none,
  letters: "e",
  others: "f",
  valued: "ABCm",
  value: /^\d+$/,
  long: ["--regexp"],
  otherLong: ["--file"],
} satisfies PatternGrammar;
const sed = { ...none, letters: "e", others: "f", long: ["--expression"], otherLong: ["--file"] } satisfies PatternGrammar;
const awk = {
  ...none,
  letters: "e",
  others: "fEW",
  valued: "Fvil",
  long: ["--source"],
  otherLong: ["--file", "--exec"],
  endsAtOperand: true,
} satisfies PatternGrammar;

/** Programs of which an operand or an option is a pattern, a program or a script. */
const grammars: ReadonlyMap<string, PatternGrammar> = new Map<string, PatternGrammar>([
  ...["grep", "egrep", "fgrep", "zgrep", "rgrep"].map((name) => [name, grep] as const),
  ["rg", { ...grep, otherLong: ["--file", "--files", "--type-list"] }],
  ["ag", { ...none, others: "f", valued: "ABC", value: /^\d+$/ }],
  ["ack", { ...none, others: "f", valued: "ABCm", value: /^\d+$/, long: ["--match"], otherLong: ["--lines", "--output"] }],
  ...["sed", "gsed"].map((name) => [name, sed] as const),
  ...["awk", "gawk", "mawk", "nawk"].map((name) => [name, awk] as const),
  ["jq", { ...none, others: "fL", otherLong: ["--from-file", "--library-path"] }],
]);

/** The words of a search or an editor of text without the pattern that it is given, wherever that stands, and that pattern. */
export function splitPatterns(name: string, args: readonly string[]): { words: readonly string[]; patterns: readonly string[] } {
  const grammar = grammars.get(name);
  if (!grammar) return { words: args, patterns: [] };
  const kept: string[] = [];
  const patterns: string[] = [];
  let first = -1;
  let isGiven = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const isOperand = word === "-" || !word.startsWith("-");
    if (word === "--" || (isOperand && grammar.endsAtOperand)) {
      if (first < 0) first = kept.length + (isOperand ? 0 : 1);
      kept.push(...args.slice(at));
      break;
    }
    if (isOperand && first < 0) first = kept.length;
    const { kind, value } = isOperand ? noOption : optionOf(word, grammar);
    if (kind === "pattern" || kind === "other") isGiven = true;
    if (kind === "pattern") {
      patterns.push(value === "" ? (args[at + 1] ?? "") : value);
      // Behind an operand, some programs take what looks like an option for another operand.
      if (first < 0) {
        if (value === "") at += 1;
        continue;
      }
    }
    kept.push(word);
    const next = args[at + 1];
    if (kind === "valued" && value === "" && next !== undefined && grammar.value.test(next)) {
      kept.push(next);
      at += 1;
    } else if (kind === "other" && value !== "" && !word.startsWith("--")) kept.push(value);
  }
  return isGiven ? { words: kept, patterns } : { words: kept.filter((_, at) => at !== first), patterns: kept.slice(first).slice(0, 1) };
}

type Option = { kind: "pattern" | "other" | "valued" | null; value: string };

const noOption: Option = { kind: null, value: "" };

function optionOf(word: string, { letters, others, valued, long, otherLong }: PatternGrammar): Option {
  if (word.startsWith("--")) {
    const value = attachedValue(word) ?? "";
    if (otherLong.some((option) => isLongOption(word, option))) return { kind: "other", value };
    return { kind: long.some((option) => isLongOption(word, option)) ? "pattern" : null, value };
  }
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    const kind = letters.includes(letter) ? "pattern" : others.includes(letter) ? "other" : valued.includes(letter) ? "valued" : null;
    if (kind !== null) return { kind, value: word.slice(at + 1) };
  }
  return noOption;
}

type TextGrammar = { pattern: RegExp; long: readonly string[] };

const awkFields: TextGrammar = { pattern: /^-F(.*)$/s, long: ["--field-separator"] };

/** Options whose value is no path though it may look like one: what stands between fields, behind letters that are flags, and programs. */
const textOptions: ReadonlyMap<string, TextGrammar> = new Map<string, TextGrammar>([
  ["cut", { pattern: /^-[snz]*d(.*)$/s, long: ["--delimiter", "--output-delimiter"] }],
  ["sort", { pattern: /^-[bdfgiMhnRrVcCmsuz]*t(.*)$/s, long: ["--field-separator"] }],
  ["column", { pattern: /^-[tex]*[so](.*)$/s, long: ["--separator", "--output-separator"] }],
  ["paste", { pattern: /^-[sz]*d(.*)$/s, long: ["--delimiters"] }],
  ["join", { pattern: /^-[iz]*t(.*)$/s, long: [] }],
  ["xargs", { pattern: /^-[0rtpx]*d(.*)$/s, long: ["--delimiter"] }],
  ["psql", { pattern: /^-[AtqXxaebEHlnsSwW1]*[FR](.*)$/s, long: ["--field-separator", "--record-separator"] }],
  ["awk", awkFields],
  ["gawk", awkFields],
  ["mawk", awkFields],
  ["nawk", awkFields],
  ["perl", { pattern: /^-[aclnpsTtuUwW0-9]*[eE](.*)$/s, long: [] }],
]);

/** Without values that are texts: `cut -d/ -f1`. */
export function withoutTexts(name: string, args: readonly string[]): readonly string[] {
  const grammar = textOptions.get(name);
  if (!grammar) return args;
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") return [...kept, ...args.slice(at)];
    const value = textIn(word, grammar);
    if (value === null) kept.push(word);
    else if (value === "") at += 1;
  }
  return kept;
}

/** Empty where it is the next word; null when the option is another one. */
function textIn(word: string, { pattern, long }: TextGrammar): string | null {
  if (!word.startsWith("--")) return pattern.exec(word)?.[1] ?? null;
  return long.some((option) => isLongOption(word, option)) ? (attachedValue(word) ?? "") : null;
}

/** Subcommands of git that take a message. */
const takesMessage = /^(?:commit|tag|merge|notes|stash|revert|cherry-pick|pull|am)$/;
const sought = /^(?:-[SG]|--author|--grep|--format|--committer)$/;

/** Without messages and what history is searched for. Of two files that git compares, no word is a text. */
export function withoutGitTexts(args: readonly string[]): readonly string[] {
  if (args.some((word) => word === "diff" || word.startsWith("--no-i"))) return args;
  const message = args.some((word) => takesMessage.test(word)) ? /^(?:-[a-z]*m|--message)$/ : args.includes("grep") ? /^-e$/ : /^(?!)/;
  return args.filter((word, at) => {
    const before = args[at - 1] ?? "";
    return !sought.test(before) && !message.test(before) && !/^(?:-[SG].|--(?:grep|author|committer|format|message)=)/s.test(word);
  });
}

import { attachedValue, isLongOption } from "../../shell/long-option";

/** How a program reads its options. */
export type OptionGrammar = {
  /** Letters whose value is the rest of their word, or else the next word. */
  valued: string;
  /** Letters whose value, if there is one, is the rest of their word. */
  optional: string;
  /** Long options and the letter that means the same; one that only has a long form means itself. */
  long: readonly (readonly [name: string, letter: string])[];
  /** Nothing after the first operand is an option. */
  endsAtOperand: boolean;
};

export type ReadOption = { letter: string; value: string; word: string };

/** Options and operands as getopt reads them: letters in clusters, values attached or apart, long options shortened. */
export function readOptions(args: readonly string[], grammar: OptionGrammar): { options: ReadOption[]; operands: string[] } {
  const options: ReadOption[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--") return { options, operands: [...operands, ...args.slice(at + 1)] };
    if (word === "-" || !word.startsWith("-")) {
      if (grammar.endsAtOperand) return { options, operands: args.slice(at) };
      operands.push(word);
    } else if (word.startsWith("--")) {
      const letter = grammar.long.find(([name]) => isLongOption(word, name))?.[1] ?? word;
      const attached = attachedValue(word);
      const isApart = attached === null && grammar.valued.includes(letter);
      if (isApart) at += 1;
      options.push({ letter, value: (isApart ? args[at] : attached) ?? "", word });
    } else if (readCluster(word, args[at + 1] ?? "", grammar, options)) at += 1;
  }
  return { options, operands };
}

/** @returns whether the next word is the value of the last letter */
function readCluster(word: string, next: string, { valued, optional }: OptionGrammar, options: ReadOption[]): boolean {
  const flags = new Set<string>();
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at);
    // A flag that is given again says nothing more.
    if (flags.has(letter)) continue;
    const rest = word.slice(at + 1);
    if (valued.includes(letter)) {
      options.push({ letter, value: rest === "" ? next : rest, word });
      return rest === "";
    }
    options.push({ letter, value: optional.includes(letter) ? rest : "", word });
    if (optional.includes(letter)) return false;
    flags.add(letter);
  }
  return false;
}

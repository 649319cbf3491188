import type { ShellScript, SimpleCommand } from "./read-script";
import type { ReadingBudget } from "./reading-budget";
import { resolveText, resolveWord, unknownValue, wordBreak } from "./resolve-word";
import { textsOf } from "./rounds";
import { printedText } from "./standard-output";
import type { Variables } from "./variables";

/** Remembers `X=value`, also after `export` and the like, where some shells see plain words. */
export function assign({ node: { name, prefix, suffix } }: SimpleCommand, variables: Variables, budget: ReadingBudget): void {
  if (name && isDeclaring.test(name.value)) declare(name.value, suffix, variables);
  for (const parts of [prefix, suffix]) {
    for (const part of parts) {
      if (part.type !== "Assignment") continue;
      if (part.value.type === "ArrayValue") {
        const words = part.value.elements.flatMap((element) => (element.type === "Word" ? resolveWord(element, variables) : []));
        // `([1]=a)`: wherever it stands, it is one of them.
        const elements = words.map((word) => /^\[[^\]]{0,40}\]=(.*)$/s.exec(word)?.[1] ?? word);
        variables.setList(part.name, elements, part.append === true);
        continue;
      }
      const { name, index, value: word, append } = part;
      const at = index ? `${name}[${index.value}]` : name;
      const given = () => (append ? (variables.get(at) ?? "") : "") + resolveText(word, variables);
      const [text, texts] = [given(), textsOf(word, variables, { ever: false, budget }, given)];
      if (index || variables.get(`${name}[@]`) !== null) variables.setElement(name, index?.value ?? "0", text);
      // By itself, a variable stands there with all that it may hold, each a word.
      variables.set(at, texts.length > 1 ? texts.join(wordBreak) : text, texts);
    }
  }
}

const isDeclaring = /^(export|declare|typeset|local|nameref)$/;

/** Remembers which names `export x` and `declare -x x` hand on, and which stand for others: `declare -n short=long`. */
function declare(command: string, suffix: SimpleCommand["node"]["suffix"], variables: Variables): void {
  let [exports, refers] = [command === "export", command === "nameref"];
  for (const part of suffix) {
    const text = part.type === "Word" ? resolveText(part, variables) : "";
    if (/^-/.test(text)) {
      exports ||= text.includes("x");
      refers ||= text.includes("n") && command !== "export";
    }
    const name = part.type === "Assignment" ? part.name : isName.test(text) ? text : null;
    if (name === null) continue;
    if (exports) variables.export(name);
    // What it is given then is the name that it stands for.
    if (refers) variables.refer(name, null);
  }
}

/** Gives a loop's variable what the loop runs through. */
export function begin({ name, wordlist }: ShellScript["loops"][number], variables: Variables): void {
  // `for x; do` runs through the arguments.
  const values = wordlist ? wordlist.flatMap((word) => resolveWord(word, variables)) : (variables.get("@") ?? "").split(wordBreak);
  variables.set(name.value, values.join(wordBreak), values);
}

/** What `printf -v x` and `read x` give to variables, where that is known. */
export function assignByCommand([name, ...args]: readonly string[], input: string | null, variables: Variables): void {
  if (name === "printf" && args[0] === "-v" && args[1] !== undefined) {
    variables.set(args[1], printedText(["printf", ...args.slice(2)], null) ?? unknownValue);
  }
  if (name === "set") {
    if (args.some((word) => /^-[a-z]*a|^allexport$/.test(word))) variables.export(null);
    const given = argumentsOfSet(args);
    if (given.length > 0) giveArguments(given, variables);
  }
  if (name === "shift") {
    const [count = "1"] = args;
    giveArguments(
      variables
        .spend(variables.get("@") ?? "")
        .split(wordBreak)
        .slice(/^\d+$/.test(count) ? Number(count) : 1),
      variables,
    );
  }
  if ((name === "mapfile" || name === "readarray") && input !== null && input.length <= maxListChars) {
    const list = args.findLast((word) => isName.test(word)) ?? "MAPFILE";
    variables.setList(list, input.replace(/\n$/, "").split("\n"), false);
  }
  if (name === "unset") for (const variable of args) if (isName.test(variable)) variables.set(variable, "");
  if (name !== "read") return;
  const names = args.filter((word) => isName.test(word));
  if (input === null) {
    for (const variable of names) variables.set(variable, unknownValue);
    return;
  }
  const text = input.trim();
  const fields = fieldsOf(text, variables.get("IFS") ?? " ");
  const lines = text.split("\n").map((line) => line.trim());
  const all = (names.length === 1 ? lines : fields).join(wordBreak);
  // Which of them gets what depends on options, and in a loop on the line.
  for (const variable of names) variables.set(variable, all, [...new Set([text, ...lines, ...fields])].slice(0, maxFields));
  const list = args.some((word) => /^-[a-z]*a$/.test(word)) && input.length <= maxListChars ? names.at(-1) : undefined;
  if (list !== undefined) variables.setList(list, fields, false);
}

const isName = /^[A-Za-z_]\w*$/;

/** What `IFS=, read x y` takes apart. */
function fieldsOf(text: string, separators: string): readonly string[] {
  const fields = text.split(/\s+/);
  if (separators.trim() === "") return fields;
  return fields.flatMap((field) => {
    let rest = field;
    for (const separator of separators.slice(0, maxSeparators)) rest = rest.replaceAll(separator, wordBreak);
    return rest.split(wordBreak);
  });
}

const maxSeparators = 4;

/** What `set -e -- a b` gives to `$1` and `$2`. */
function argumentsOfSet(args: readonly string[]): readonly string[] {
  let at = 0;
  while (at < args.length) {
    const word = args[at] ?? "";
    if (word === "-" || word === "--") return args.slice(at + 1);
    if (!/^[-+]/.test(word)) break;
    at += word.endsWith("o") ? 2 : 1;
  }
  return args.slice(at);
}

const maxFields = 32;
const maxListChars = 1_000;
/** Arguments that are known each by its number. */
const maxArguments = 32;

/** What a script or a function is called with, as `$1`, `$2` and `$@`. */
export function giveArguments(values: readonly string[], variables: Variables): void {
  for (let place = 1; place <= maxArguments; place += 1) {
    const name = String(place);
    const value = values[place - 1] ?? "";
    // Behind those that are given, there are only those that were given before.
    if (value !== "" || variables.get(name)) variables.set(name, value);
  }
  const all = values.join(wordBreak);
  variables.set("@", all);
  variables.set("*", all);
}

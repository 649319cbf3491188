import type { ShellWord } from "../../script/words";
import { type EffectSink, givenOption, notes, readsUnknown, runsAnother } from "../program";

/** Adds the files of a search: the first operand is a pattern unless an option gives one; all others are files or folders. */
export function searches(act: EffectSink, recursiveOptions: string | true, patterns = "-e --regexp -f --file --files --type-list"): void {
  const { parsed, role, command } = act;
  const paths = givenOption(parsed, patterns) ? parsed.operands : parsed.operands.slice(1);
  const byAction = givenOption(parsed, "-d --directories")?.value?.value.startsWith("rec") === true;
  const isRecursive = recursiveOptions === true || byAction || givenOption(parsed, recursiveOptions) !== undefined;
  for (const path of paths) role("reads", path, isRecursive);
  const [name] = command.words;
  if (paths.length === 0 && isRecursive && name) role("reads", folderOf(name), true);
}

const folderOf = (name: ShellWord): ShellWord => ({ ...name, value: ".", certainty: "literal" });

/** Tests of `find` with a value. */
export const findTests =
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -type -xtype -size -perm -user -group -uid -gid -mtime -atime -ctime -mmin -amin -cmin -used -links -inum -maxdepth -mindepth -fstype -context -printf -newermt -newerct -newerat";
const hasValue = new Set(findTests.split(" "));
const findFiles = /^-(?:newer|anewer|cnewer|samefile|newer[aBcm][aBcm])$/;
/** Commands that only read their operands. */
const onlyLooks =
  /^(?:ls|cat|grep|egrep|fgrep|wc|head|tail|stat|file|echo|printf|basename|dirname|du|md5sum|sha1sum|sha256sum|readlink|realpath|test)$/;

/** Adds the effects of `find`: roots stand before the first test; actions write, delete and run. */
export function finds(act: EffectSink): void {
  const { role, does } = act;
  const [name, ...words] = act.command.words;
  const isExpression = ({ value }: ShellWord) => /^(?:-.|[(!,]$)/.test(value);
  let at = 0;
  while (words[at] && /^-(?:[HLP]|D|O\w*)$/.test(String(words[at]?.value))) at += words[at]?.value === "-D" ? 2 : 1;
  const rest = words.slice(at);
  const first = rest.findIndex(isExpression);
  const written = first < 0 ? rest : rest.slice(0, first);
  const roots = written.length > 0 ? written : [folderOf(name)];
  for (const root of roots) role("lists", root, true);
  const expression = first < 0 ? [] : rest.slice(first);
  for (let index = 0; ; index += 1) {
    const word = expression[index];
    const next = expression[index + 1];
    if (!word) break;
    if (/^-(?:exec|ok)(?:dir)?$/.test(word.value)) {
      const end = expression.findIndex(
        ({ value }, place) => place > index && (value === ";" || (value === "+" && expression[place - 1]?.value === "{}")),
      );
      const inner = expression.slice(index + 1, end < 0 ? undefined : end);
      runsOn(act, inner, roots);
      // In the folder of each file there may be another program of that name.
      if (word.value.endsWith("dir") || !onlyLooks.test(inner[0]?.value ?? ""))
        does(notes("shell.find_exec", "runs a command on each file that it finds"), word);
      index += inner.length + 1;
    } else if (word.value === "-delete") {
      for (const root of roots) role("deletes", { ...root, start: word.start, end: word.end }, true);
      does(notes("shell.find_delete", "deletes all files that it finds"), word);
    } else if (next && /^-(?:fprint0?|fprintf|fls)$/.test(word.value)) {
      role("writes", next);
      does(notes("shell.find_write", "writes its list to a file"), word);
      index += word.value === "-fprintf" ? 2 : 1;
    } else if (next && findFiles.test(word.value)) {
      role("lists", next);
      index += 1;
    } else if (next && word.value === "-files0-from") {
      role("file_list", next);
      index += 1;
    } else if (hasValue.has(word.value)) index += 1;
    // bash makes several words of `-samefile {a,b}`, and dash a single one.
    else if (!isExpression(word) && word.value !== ")") role("lists", word);
  }
}

/** Runs a command on the files below the roots, for which `{}` stands; without `{}`, `fd` appends the file. */
function runsOn({ run }: EffectSink, inner: readonly ShellWord[], roots: readonly ShellWord[]): void {
  const sign = /\{(?:\/{0,2}|\.|\/\.)\}/g;
  const words = inner.flatMap((word) => {
    if (!word.value.match(sign)) return [word];
    return roots.map((root) => {
      const certainty = root.certainty === "literal" ? word.certainty : root.certainty;
      return { ...word, value: word.value.replace(sign, () => root.value), certainty };
    });
  });
  run(words, false, { isRecursive: true });
}

/** Adds the effects of `fd pattern folder -x command`. */
export function findsByName(act: EffectSink): void {
  const { parsed, command, role, does } = act;
  const [name] = command.words;
  const action = parsed.options.find(({ name: option }) => /^(?:-x|-X|--exec|--exec-batch)$/.test(option));
  const from = action?.value ? command.words.indexOf(action.value) : -1;
  const outside = from < 0 ? parsed.operands : parsed.operands.filter((word) => command.words.indexOf(word) < from);
  const paths = [
    ...outside.slice(1),
    ...parsed.options.flatMap(({ name: option, value }) => (option === "--search-path" && value ? [value] : [])),
  ];
  const roots = paths.length > 0 ? paths : [folderOf(name)];
  for (const root of roots) role("lists", root, true);
  if (!action) return;
  does(notes("shell.find_exec", "runs a command on each file that it finds"), action.word);
  if (from < 0) {
    does(runsAnother, action.word);
    return;
  }
  const words = command.words.slice(from);
  const end = words.findIndex(({ value }) => value === ";");
  const inner = end < 0 ? words : words.slice(0, end);
  const takesPlace = inner.some(({ value }) => /\{[/.]{0,2}\}/.test(value));
  runsOn(act, takesPlace ? inner : [...inner, { ...name, value: "{}", certainty: "literal" }], roots);
}

/** Options of `jq` that take two words; the second may be a file to read. */
const pairs = /^--(?:arg|argjson|slurpfile|rawfile|argfile)$/;

/** Adds the effects of `jq filter file …`; a filter can load modules and, in `yq`, files. */
export function queries({ parsed, command, role, does }: EffectSink, changes: boolean): void {
  const isFilterInFile = givenOption(parsed, "-f --from-file --expression-file");
  const skipped = new Set<ShellWord>();
  for (const [at, word] of command.words.entries()) {
    const second = command.words[at + 2];
    if (!pairs.test(word.value) || !second) continue;
    skipped.add(second);
    if (/file$/.test(word.value)) role("reads", second);
  }
  const operands = parsed.operands.filter((word) => !skipped.has(word));
  const [verb] = operands;
  const from = verb && /^(?:e|ea|eval|eval-all)$/.test(verb.value) ? 1 : 0;
  const filter = isFilterInFile ? undefined : operands[from];
  const files = operands.slice(filter ? from + 1 : from);
  if (filter && (filter.certainty !== "literal" || /\b(?:import|include|load\w*|strload)\b/.test(filter.value))) {
    does(readsUnknown, filter);
  }
  // A filter in a file may load anything, which is known only at run time.
  if (isFilterInFile) does(readsUnknown, isFilterInFile.word);
  // `yq file` works without a filter, so the first operand may be the file.
  if (filter && files.length === 0 && /^(?:\/|\.\.|~)/.test(filter.value)) role("reads", filter);
  const inPlace = changes && givenOption(parsed, "-i --inplace --in-place") !== undefined;
  for (const file of files) role(inPlace ? "changes" : "reads", file);
}

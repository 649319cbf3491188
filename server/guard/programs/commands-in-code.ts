import { quoteWord } from "../script/quote-word";
import { unknownPiece } from "../script/words";

/** A program in another language inside a command: among its words or in its input. */
export type CodeInCommand = {
  program: string;
  text: string;
  /** A script for the shell of another machine. */
  isElsewhere?: true;
};

const maxFound = 20;
const maxCodeChars = 20_000;

/** Functions whose first argument is a command, or whose arguments together are. */
const starts =
  /\b(?:system|popen[23]?|Popen|getoutput|getstatusoutput|exec(?:Sync|File|FileSync|ute|vp?|lp?)?|spawn(?:Sync|vp?|lp?)?|run|call|check_call|check_output|shell_exec|passthru|proc_open|qx|capture2e?|shell)\b[ \t]*(?=[("'`[{])/g;
const literal = /[\s([{,]*(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\$]|\\.)*)`)/y;
const ownQuotes = /`([^`$\n]+)`|(?:%x|qx)\s*(?:\{([^}\n]*)\}|\(([^)\n]*)\)|\[([^\]\n]*)\]|\/([^/\n]*)\/)/g;
const quotesCommands = /^(?:perl|ruby|jruby|php)[\d.]*$/;
const isAwk = /^(?:[gmn]?awk|original-awk)$/;
const isSed = /^g?sed$/;

/** Returns the commands that a program in another language starts with literal words. The text is searched and not parsed. */
export function commandsInCode(program: string, text: string): string[] {
  const code = text.slice(0, maxCodeChars);
  const found = [...startedIn(code, /^(?:python|pypy)/.test(program)), ...ownForms(program, code)];
  return found.filter((command) => command.trim() !== "" && !command.includes(unknownPiece)).slice(0, maxFound);
}

/** Returns the commands in calls of known functions, except `exec` of Python, which runs Python. */
function startedIn(code: string, isPython: boolean): string[] {
  return [...code.matchAll(starts)].flatMap(({ 0: call, index }) => {
    if (isPython && /^exec\b/.test(call)) return [];
    const [first, ...others] = literalsAt(code, index + call.length);
    if (first === undefined) return [];
    return [
      others.length === 0 ? first : [first, ...others].map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : quoteWord(word))).join(" "),
    ];
  });
}

function literalsAt(code: string, start: number): string[] {
  const texts: string[] = [];
  literal.lastIndex = start;
  for (let found = literal.exec(code); found && texts.length < maxFound; found = literal.exec(code)) {
    texts.push(String(found[1] ?? found[2] ?? found[3]).replace(/\\(["'`\\])/g, "$1"));
    if (!/^[\s\]]*,/.test(code.slice(literal.lastIndex, literal.lastIndex + 20))) break;
  }
  return texts;
}

function ownForms(program: string, code: string): string[] {
  if (quotesCommands.test(program))
    return [...code.matchAll(ownQuotes)].flatMap((match) => match.slice(1).filter((one) => one !== undefined));
  if (isAwk.test(program)) {
    return [
      ...[...code.matchAll(/"((?:[^"\\\n]|\\.)*)"\s*\|&?\s*getline/g)].map(([, command = ""]) => command),
      // Text printed into a shell is a script.
      ...[...code.matchAll(/print\s+"((?:[^"\\\n]|\\.)*)"\s*\|\s*"(?:\/bin\/)?(?:ba|da|z|k)?sh"/g)].map(([, script = ""]) => script),
      ...[...code.matchAll(/\|&?\s*"((?:[^"\\\n]|\\.)*)"/g)].map(([, command = ""]) => command),
    ];
  }
  if (isSed.test(program)) return [...code.matchAll(/(?:^|[;{}\n\d$/])\s*e[ \t]+([^\n]+)/g)].map(([, command = ""]) => command);
  return [];
}

const evaluated = String.raw`\b(?:exec|eval|execfile|Function|load|loadstring|runInThisContext|assert)\b[^;\n]{0,200}?`;
const fetched = String.raw`(?:urlopen|urlretrieve|requests\.get|httpx\.|URI\.open|Net::HTTP|LWP|file_get_contents\(\s*["']https?:|curl_exec|\bfetch\(|https?\.get)`;
const runsFetched = new RegExp(`${evaluated}${fetched}|\\bfetch\\([^;\\n]{0,200}?\\.then\\(\\s*eval\\b`);

/** Returns whether a program in another language runs code that it fetches. */
export const runsDownload = (text: string): boolean => runsFetched.test(text.slice(0, maxCodeChars));

const reaches =
  /urllib|urlopen|requests\b|httpx|aiohttp|\bfetch\b|https?\.(?:get|request)|require\(["'`](?:node:)?https?|axios|Net::HTTP|net\/http|open-uri|URI\.open|LWP|getprint|getstore|file_get_contents|curl|socket|HTTParty|Faraday|wget|hackney|reqwest/i;
const address = /\bhttps?:\/\/[^\s"'`<>\\)]+/gi;

/** Returns the URLs in a program in another language, when the program makes requests. */
export function addressesInCode(text: string): string[] {
  const code = text.slice(0, maxCodeChars);
  return reaches.test(code) ? [...new Set([...code.matchAll(address)].map(([url]) => url))].slice(0, maxFound) : [];
}

/** What an awk program does beyond reading and printing; null when nothing, "unclear" when that cannot be told. */
export type AwkDanger = "runs" | "writes" | "loads" | "unclear";

type Token = { text: string; depth: number };

/** A longer program is not read. */
const maxChars = 10_000;

/** Reads an awk program once, past its texts, comments and patterns. */
export function dangerInAwk(program: string): AwkDanger | null {
  if (/\bsystem\s{0,9}\(/.test(program)) return "runs";
  const tokens = program.length > maxChars ? null : tokensOf(program);
  // What cannot be read is taken for the worst that it could be.
  if (tokens === null) return /[|>@]|getline/.test(program) ? "runs" : "unclear";
  let printsAtDepth = -1;
  let writes = false;
  for (const [at, { text, depth }] of tokens.entries()) {
    if (text === "system" || text === "|&" || text === "@(" || text === "|") return "runs";
    if (text === "@load" || text === "@include") return "loads";
    if (text === "print" || text === "printf") printsAtDepth = depth;
    else if (text === ";" || text === "}" || (text === "\n" && !goesOn.test(tokens[at - 1]?.text ?? ""))) printsAtDepth = -1;
    else if ((text === ">" || text === ">>") && printsAtDepth >= 0 && depth <= printsAtDepth) writes = true;
  }
  return writes ? "writes" : null;
}

/** Behind these, a statement goes on in the next line. */
const goesOn = /^(?:,|&&|\|\||[?:])$/;

/** Names, operators and line ends, with how many parentheses they stand in; null when a text or a pattern has no end. */
function tokensOf(program: string): Token[] | null {
  const tokens: Token[] = [];
  /** What stands before each parenthesis that is open. */
  const openers: string[] = [];
  let depth = 0;
  let at = 0;
  while (at < program.length) {
    const character = program.charAt(at);
    if (character === "#") {
      at = endOfLine(program, at);
      continue;
    }
    if (character === "\\") {
      // It takes the end of its line with it.
      at = skipLineEnd(program, at + 1);
      continue;
    }
    if (character === "/" && mayBeEither(tokens) && endOfText(program, at, "/") >= 0) return null;
    if (character === '"' || (character === "/" && mayBePattern(tokens.at(-1)?.text))) {
      const end = character === "/" ? endOfPattern(program, at) : endOfText(program, at, character);
      if (end < 0) return null;
      tokens.push({ text: "text", depth });
      at = end;
      continue;
    }
    const text = tokenAt(program, at);
    at += text.length;
    if (blank.has(text.charAt(0))) continue;
    if (text === "(") {
      depth += 1;
      openers.push(tokens.at(-1)?.text ?? "");
    }
    if (text === ")") depth -= 1;
    const endsCondition = text === ")" && conditional.has(openers.pop() ?? "if");
    tokens.push({ text: endsCondition ? "if)" : isIndirectCall(text, program.charAt(at)) ? "@(" : text, depth });
  }
  return tokens;
}

const blank = new Set([" ", "\t", "\r"]);
const conditional = new Set(["if", "while", "for", "switch"]);

/** Some awks read a pattern in `if (x) /y/`, and some divide; so it is with `length /y/` and `x++ / y / z`. */
function mayBeEither(tokens: readonly Token[]): boolean {
  const before = tokens.at(-1)?.text ?? "";
  return /^(?:if\)|\$|getline|length)$/.test(before) || (/^[+-]$/.test(before) && tokens.at(-2)?.text === before);
}

/** `@f(x)` and `@ f(x)` call what the text in f names; `@/x/` is a pattern. */
function isIndirectCall(text: string, next: string): boolean {
  if (!text.startsWith("@")) return false;
  if (text === "@") return next !== "/";
  return next === "(" && !/^@(load|include|namespace)$/.test(text);
}

const token = /[A-Za-z0-9_@.]+|[ \t\r]+|>>|\|[|&]|&&|[<>=!]=|[\s\S]/y;

function tokenAt(program: string, at: number): string {
  token.lastIndex = at;
  return token.exec(program)?.[0] ?? "";
}

/** After a value, a slash divides; anywhere else it begins a pattern. */
function mayBePattern(before: string | undefined): boolean {
  return before === undefined || !/^([\w.$)\]]+|text)$/.test(before) || /^(?:printf?|return|exit|else|do|case|in|delete)$/.test(before);
}

function endOfLine(program: string, at: number): number {
  const end = program.indexOf("\n", at);
  return end < 0 ? program.length : end;
}

/** Past the end of a text; -1 when it has none on its line. */
function endOfText(program: string, start: number, quote: string): number {
  for (let at = start + 1; at < program.length; at += 1) {
    const character = program.charAt(at);
    if (character === "\\") at += 1;
    else if (character === quote) return at + 1;
    else if (character === "\n") return -1;
  }
  return -1;
}

/** The same for a pattern, which a slash between brackets does not end: `/[/]/`. Awks that end it there refuse `/[/`. */
function endOfPattern(program: string, start: number): number {
  for (let at = start + 1; at < program.length; at += 1) {
    const character = program.charAt(at);
    if (character === "\\") at += 1;
    else if (character === "/") return at + 1;
    else if (character === "\n") return -1;
    else if (character === "[") {
      classOfCharacters.lastIndex = at;
      const [members = ""] = classOfCharacters.exec(program) ?? [];
      // For some awks, `[\]` is a whole class.
      if (members === "" || (members.includes("\\]") && members.includes("/"))) return -1;
      at += members.length - 1;
    }
  }
  return -1;
}

/** One with a bracket in it is read in many ways. */
const classOfCharacters = /\[\^?\]?(?:[^\][\\\n]|\[:[a-z]{1,9}:\]|\\.)*\]/y;

function skipLineEnd(program: string, at: number): number {
  const [end = ""] = /^\r?\n/.exec(program.slice(at, at + 2)) ?? [];
  return at + end.length;
}

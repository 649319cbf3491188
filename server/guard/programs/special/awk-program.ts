/** Syntax by which an awk program may run a command, load code or read anything besides its files. */
const reaches = /system|getline|@|\bARG[VC]\b|SYMTAB|PROCINFO|\\\r?\n|\\$/;
const token =
  /"(?:[^"\\\n]|\\.)*"|\/(?:[^/\\\n"[]|\\.|\[\^?\]?[^\]\\\n/"[]*\])+\/|[\w.$]+|>>|[<>=!]=|&&|\|\||[ \t\r]+|#[^\n"/]*(?=\n|$)|[\s\S]/y;
/** After these, a slash begins a pattern; elsewhere it divides. */
const beforePattern = /^(?:|[(,!~{};\n]|&&|\|\|)$/;
const standardOutput = /^"\/dev\/std(?:out|err)"$/;

/** Returns whether an awk program only reads its files and prints. The criterion is positive, so false means "unknown". */
export function onlyPrintsAwk(program: string): boolean {
  if (reaches.test(program)) return false;
  let before = "";
  let depth = 0;
  let printsAt = -1;
  let slashes = 0;
  const quotes = program.includes('"');
  for (let at = 0; at < program.length; ) {
    const text = next(program, at, beforePattern.test(before));
    at += text.length;
    if (/^(?:[ \t\r]|#)/.test(text)) continue;
    if (text === '"' || text === "|") return false;
    if (text === "/") slashes += 1;
    if (text === "(") depth += 1;
    if (text === ")") depth -= 1;
    if (/^printf?$/.test(text)) printsAt = depth;
    else if (/^[;}]$/.test(text) || (text === "\n" && /^[\w.$)\]}"]/.test(before))) printsAt = -1;
    else if (/^>>?$/.test(text) && printsAt >= 0 && depth <= printsAt && !standardOutput.test(wordAfter(program, at))) return false;
    before = text;
  }
  // Awks disagree on which slashes divide, so a quote between two slashes may belong to a pattern.
  return !(slashes > 0 && quotes && /\/[\s\S]*\//.test(program));
}

function next(program: string, at: number, mayBePattern: boolean): string {
  token.lastIndex = at;
  const text = String(token.exec(program)?.[0]);
  return text.length > 1 && text.startsWith("/") && !mayBePattern ? "/" : text;
}

/** Returns the string constant that names a redirection's file, when nothing is concatenated to it. */
function wordAfter(program: string, at: number): string {
  return /^\s*("[^"\n]*")\s*(?:[;}\n]|$)/.exec(program.slice(at))?.[1] ?? "";
}

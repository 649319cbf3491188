/** Colour class of a token in a command line. */
export type ShellTokenKind = "program" | "flag" | "text" | "variable" | "operator" | "comment";
/** Characters `start` to `end` (exclusive) of a command line. */
export type ShellToken = { start: number; end: number; kind: ShellTokenKind };

const pieces =
  /(?<comment>(?<=^|\s)#[^\n]*)|(?<text>'[^']*'?|"(?:\\.|[^"\\])*"?)|(?<variable>\$(?:\w+|\{[^}]*\}?|[?#@*!$-]))|(?<operator>\$\(|`|&&|\|\||\|&|>>|>&|<<<?|[;&|<>()\n])|(?<word>(?:\\.|[^\s'"$;&|<>()`\\])+)/gu;
const startsCommand = new Set(["&&", "||", "|", "|&", ";", "&", "(", "$(", "`", "\n"]);
const assignment = /^\w+=/;
/** Programs whose argument is another program. */
const wrappers = new Set(["sudo", "env", "time", "nohup", "xargs", "exec", "command", "then", "do", "else", "if", "while", "!"]);

/**
 * Splits a command line into tokens for colouring. Never used for decisions: the guard has its own parser, and
 * unrecognised text here stays plain.
 */
export function shellTokens(command: string): ShellToken[] {
  const tokens: ShellToken[] = [];
  let expectsProgram = true;
  for (const match of command.matchAll(pieces)) {
    const { comment, text, variable, operator, word } = match.groups ?? {};
    const [found] = match;
    const add = (kind: ShellTokenKind) => tokens.push({ start: match.index, end: match.index + found.length, kind });
    if (comment !== undefined) add("comment");
    else if (text !== undefined) {
      add("text");
      expectsProgram = false;
    } else if (variable !== undefined) add("variable");
    else if (operator !== undefined) {
      if (found !== "\n") add("operator");
      expectsProgram = startsCommand.has(found);
    } else if (word !== undefined) {
      if (expectsProgram && assignment.test(word)) continue;
      if (expectsProgram) add("program");
      else if (word.startsWith("-")) add("flag");
      expectsProgram = expectsProgram && wrappers.has(word);
    }
  }
  return tokens;
}

import type { Redirect, SyntaxNode } from "unbash";
import { excerpt } from "../excerpt";
import { isHarmlessAssignment } from "./harmless-assignment";

/**
 * What no allow rule covers, because the text of the simple commands does not show what it does, or because shells
 * disagree about it (bash and dash read some of these differently, and we do not know which one /bin/sh is).
 * A sentence part such as "a command substitution `$(rm x)`"; null for everything harmless.
 */
export function obstacleOf(node: SyntaxNode, source: string): string | null {
  const what = kindOfObstacle(node);
  return what && `${what} \`${excerpt(source.slice(node.pos, node.end))}\``;
}

function kindOfObstacle(node: SyntaxNode): string | null {
  switch (node.type) {
    case "CommandExpansion":
    case "ArithmeticCommandExpansion":
      return "a command substitution";
    case "ProcessSubstitution":
      return "a process substitution";
    // A subscript in arithmetic can run commands that stand in a variable.
    case "ArithmeticExpansion":
    case "ArithmeticCommand":
    case "ArithmeticFor":
      return "arithmetic";
    case "ParameterExpansion":
      return node.prefix || node.index || node.operation ? "an expansion with an operator" : null;
    case "Assignment":
      return isHarmlessAssignment(node.text) ? null : "an assignment";
    case "Function":
      return "a function definition";
    case "Coproc":
      return "a coprocess";
    case "Select":
      return "a select loop";
    // Where [[ is not a keyword, && and > inside it are what they are everywhere else.
    case "TestCommand":
      return "a [[ ]] test";
    case "ExtendedGlob":
      return "an extended glob";
    // Where $'...' is not known, a \' inside it ends the quote.
    case "AnsiCQuoted":
    case "LocaleString":
      return "a $-quoted text";
    case "HereDoc":
      return "a here-document";
    case "HereString":
      return "a here-string";
    case "Redirect":
      return isHarmless(node) ? null : "a redirection";
    case "Statement":
      return node.background ? "a background job" : null;
    default:
      return null;
  }
}

/** To or from /dev/null, a copy of a stream, or reading a file whose name is written out. */
function isHarmless({ operator, descriptor, target }: Redirect): boolean {
  if (!target || target.parts?.some(({ type }) => type !== "Literal" && type !== "SingleQuoted" && type !== "DoubleQuoted")) return false;
  if (descriptor?.type === "FileDescriptorVariable") return false;
  // For shells that do not know &>, it is a background job and a redirection.
  if (operator.startsWith("&")) return false;
  if (target.value === "/dev/null") return operator !== "<>";
  if (operator === ">&" || operator === "<&") return /^(\d|-)$/.test(target.value);
  // bash opens network connections under /dev/tcp.
  return operator === "<" && /^[\w./-]+$/.test(target.text) && !target.value.startsWith("/dev/");
}

/** Everything that is not plain is looked at by itself; so much of it is no command that people read. */
const maxNotPlain = 4_000;
const plain = /^[\t\n -~]*$/;
const notPlain = /[^\t\n -~]/gu;
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/u;

/** The last text that had none: the same one is asked about by whoever reads it, as a script and for its words. */
let clean = "";

/** A character that people cannot see or that shells take for something else; tabs and line ends are ordinary. */
export function invisibleCharacterIn(text: string): string | null {
  if (text === clean || plain.test(text)) return null;
  if (!text.isWellFormed()) return "half of a surrogate pair";
  let looked = 0;
  let before = "";
  for (const [character] of text.matchAll(notPlain)) {
    looked += 1;
    if (looked > maxNotPlain) return `more than ${maxNotPlain.toLocaleString("en")} characters of other alphabets`;
    if (character === before) continue;
    if (invisible.test(character))
      return `the invisible character U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
    before = character;
  }
  clean = text;
  return null;
}

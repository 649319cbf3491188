import type { WordPart } from "unbash";
import { invisibleCharacterIn } from "../../shell/obstacles";
import type { SimpleCommand } from "../../shell/read-script";
import { unknownValue } from "../../shell/resolve-word";
import type { RunningCommand, RunningScript, ShellReading } from "../../shell/running-commands";
import { argumentsOf, type Family, forNames, type Seen, seen } from "./danger";

/** What prints where something is: the name of a program that is looked up is known, and folders only stand before one. */
const namesProgram =
  /^\$\((which|command -v|type -p|type -P|realpath|readlink|dirname|pwd|git rev-parse|npm bin|brew --prefix|pyenv which|go env)\b/;

/** Why the name of a command does not stand in the text as it is; null when it does. */
function hiddenName({ node }: SimpleCommand): string | null {
  const { name } = node;
  if (!name?.parts) {
    // A single backslash before a name only passes over aliases.
    return name && /\\/.test(name.text) && !/^\\[\w.-]+$|^[\w./~-]+(\\ [\w./-]+)+$/.test(name.text)
      ? "a name with backslashes in it"
      : null;
  }
  if (name.parts.length === 1 && name.parts[0]?.type === "DoubleQuoted")
    return name.parts[0].parts.map(hides).find((why) => why !== null) ?? null;
  const [first] = name.parts;
  const quotedInside = name.parts.length > 1 && name.parts.some(({ type }) => type === "SingleQuoted" || type === "DoubleQuoted");
  // "$HOME"/bin/tool and "my folder"/tool are how careful people write paths.
  if (quotedInside && !(name.text.includes("/") && first?.type !== "Literal")) return "a name in pieces";
  return (
    name.parts.map(hides).find((why) => why !== null) ??
    (/\\(?! )/.test(name.text) && !quotedInside ? "a name with backslashes in it" : null)
  );
}

function hides(part: WordPart): string | null {
  switch (part.type) {
    case "AnsiCQuoted":
    case "LocaleString":
      return "an encoded name";
    case "BraceExpansion":
      return "a name that braces make";
    case "Glob":
    case "ExtendedGlob":
      return "a name that depends on which files there are";
    case "CommandExpansion":
      return namesProgram.test(part.text) ? null : "a name that another command prints";
    case "ArithmeticExpansion":
      return "a computed name";
    case "SimpleExpansion":
      return /^\$([@*#?$!0-9-]|IFS$)/.test(part.text) ? "a name with an odd variable in it" : null;
    case "ParameterExpansion":
      if (part.parameter === "IFS" || part.prefix || /^[@*#?$!0-9-]/.test(part.parameter)) return "a name with an odd variable in it";
      return part.operation && part.operation.type !== "Default" ? "a name that is cut out of another text" : null;
    default:
      return null;
  }
}

/** A name that is nothing but a value which only the running shell knows: `$cmd x`, `"$cmd" x`, `"${words[@]}"`. */
function isValue({ node: { name } }: SimpleCommand): boolean {
  const [first] = name?.parts ?? [];
  const parts = name?.parts?.length === 1 && first?.type === "DoubleQuoted" ? first.parts : name?.parts;
  return parts?.every(({ type }) => type === "SimpleExpansion" || type === "ParameterExpansion") ?? false;
}

/** Whether what a command is called, in its folder, is only known when it runs. A file of the workspace is none. */
function isUnknown({ words: [name = ""], runBy }: RunningCommand): boolean {
  // `env "$@"`: what a function is called with.
  if (name === "" && runBy !== null) return true;
  return name.includes(unknownValue) && !name.startsWith("./") && name.slice(name.lastIndexOf("/") + 1).includes(unknownValue);
}

function ofScript({ script, commands }: RunningScript, { text, script: whole, isCoarse }: ShellReading): readonly Seen[] {
  const found: Seen[] = [];
  const told = new Set<SimpleCommand>();
  for (const command of script.commands) {
    const note = (does: string) => {
      found.push({ danger: "shell.hidden_command", does, text: command.text });
      told.add(command);
    };
    const why = hiddenName(command);
    if (why) note(`has ${why} where a command stands`);
    if (isValue(command)) note("runs what a variable holds");
  }
  for (const command of commands) {
    // What was said of the name itself is enough.
    if (!isUnknown(command) || (command.runBy === null && told.has(command.within))) continue;
    found.push(...seen("shell.hidden_command", "runs a command whose name is only known when it runs", command));
  }
  const character = script === whole ? invisibleCharacterIn(text) : null;
  if (character) found.push({ danger: "shell.hidden_command", does: `contains ${character}`, text });
  if (isCoarse) found.push({ danger: "shell.not_followed", does: "does so much that not all of it is followed", text });
  else if (script.unreadable)
    found.push({ danger: "shell.unreadable", does: `cannot be read with certainty (${script.unreadable})`, text });
  return found;
}

/** What hides what a command line does. */
export const hidden: Family = {
  dangers: [
    {
      id: "shell.hidden_command",
      title: "A command whose name is hidden",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation:
        "Quotes inside names, encoded characters, globs, substitutions and invisible characters are ways to run a command without writing its name.",
      fix: "Write the command's name as it is.",
    },
    {
      id: "shell.unreadable",
      title: "A command line that cannot be read",
      severity: "medium",
      verdict: "require_approval",
      escapes: true,
      explanation: "The text does not follow the grammar of shells, or shells read it differently. What it does is then a guess.",
      fix: "Check quotes and brackets, or send the commands one by one.",
    },
    {
      id: "shell.not_followed",
      title: "A command line that is too much to be followed",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation:
        "Its commands are seen as they are written, and not what variables, loops and functions make of them: anything may be among what runs.",
      fix: "Send it in several calls with fewer commands each.",
    },
    {
      id: "shell.powershell",
      title: "PowerShell",
      severity: "medium",
      verdict: "require_approval",
      escapes: true,
      explanation: "PowerShell has a grammar of its own, which is not read here: nobody can say what such a script does before it runs.",
      fix: "Use the ordinary shell, or let a person look at the script.",
    },
  ],
  ofCommand: new Map(
    forNames(["pwsh", "powershell", "pwsh-preview", "powershell.exe", "pwsh.exe", "cmd", "cmd.exe"], (command) =>
      argumentsOf(command).every((word) => /^(-v|--version|-h|--help)$/i.test(word)) && argumentsOf(command).length > 0
        ? []
        : seen("shell.powershell", "runs PowerShell, which is not read here", command),
    ),
  ),
  ofScript,
};

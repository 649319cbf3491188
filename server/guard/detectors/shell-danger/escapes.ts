import { isShell } from "../../shell/inner-commands";
import { argumentsOf, type CommandCheck, type Family, nothing, operandsOf, seen } from "./danger";
import { loadsLibrary, runsCommand, startsShellInside, writesFile } from "./escape-options";
import { optionAmong, optionList } from "./option-list";

/** Known to allow rules only: what the program does is ordinary, but not what a rule for its name means to allow. */
export const quietEscape = "quiet";

type Kind = { options: Record<string, string>; danger: string; does: string };

const kinds: readonly Kind[] = [
  { options: runsCommand, danger: "shell.runs_command", does: "starts another program" },
  { options: loadsLibrary, danger: "shell.loads_code", does: "loads code from a file" },
  { options: writesFile, danger: quietEscape, does: "writes to a file" },
];

/** Whether a program has options by which it does more than its name says. */
export const hasEscapeOptions = (name: string): boolean => kinds.some(({ options }) => Object.hasOwn(options, name));

const checks = new Map<string, CommandCheck>();

function add(name: string, check: CommandCheck): void {
  const before = checks.get(name);
  checks.set(name, before ? (command, script) => [...before(command, script), ...check(command, script)] : check);
}

for (const { options, danger, does } of kinds) {
  for (const [name, text] of Object.entries(options)) {
    const list = optionList(text);
    add(name, (command) => {
      const found = optionAmong(argumentsOf(command), list);
      if (found === null) return nothing;
      return seen(
        danger,
        found === "" ? `${does}: that is what ${name} is for` : `${does}: that is what ${found} of ${name} is for`,
        command,
      );
    });
  }
}

for (const name of startsShellInside) add(name, (command) => seen(quietEscape, "can start a shell from within", command));

// `tar xIf "sh -c x" a`: the first argument of tar is a cluster of options, with or without its dash.
for (const name of ["tar", "gtar"]) {
  add(name, (command) => {
    const [first = ""] = argumentsOf(command);
    if (/^[A-Za-z]*[IF]/.test(first))
      return seen("shell.runs_command", `starts another program: that is what I and F in ${first} of tar are for`, command);
    return nothing;
  });
}

// `zip -qTT id x y`: two letters that are one option, also in a cluster.
add("zip", (command) => {
  const word = argumentsOf(command).find((word) => /^-[A-Za-z]+TT/.test(word));
  return word === undefined
    ? nothing
    : seen("shell.runs_command", `starts another program: that is what TT in ${word} of zip is for`, command);
});

// `uniq a b` and `xxd a b` write to b.
for (const name of ["uniq", "guniq", "xxd"]) {
  add(name, (command) =>
    operandsOf(command).filter((word) => !/^(0x)?\d+$/.test(word)).length > 1
      ? seen(quietEscape, `writes to the second file that ${name} is given`, command)
      : nothing,
  );
}

/** Options by which ordinary programs run, load or write what their names do not say. */
export const escapes: Family = {
  dangers: [
    {
      id: "shell.runs_command",
      title: "A program that starts another one",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation:
        "Many ordinary programs have an option that starts any other program: tar --checkpoint-action, sort --compress-program, rsync -e. A harmless name then runs anything.",
      fix: "Leave the option out, or run the other program by its own name.",
    },
    {
      id: "shell.loads_code",
      title: "A program that is made to load code",
      severity: "high",
      verdict: "require_approval",
      escapes: true,
      explanation: "The option makes an ordinary program load a library or a module from a file, whose code then runs inside it.",
      fix: "Leave the option out.",
    },
  ],
  ofCommand: checks,
  ofEachCommand: (command) => {
    if (onlyNamesIt.has(command.name) || isShell(command.name)) return nothing;
    const shell = argumentsOf(command).find((word) => shellPath.test(word));
    return shell === undefined ? nothing : seen("shell.runs_command", `can start the shell that it is given (${shell})`, command);
  },
};

/** An argument that is a shell, perhaps with options of its own: for whatever program takes one. */
const shellPath = /^!?(?:\/usr)?(?:\/local)?\/bin\/(?:ba|da|z|k|a|c|tc)?sh(?:\s+-\w+)*$/;
const onlyNamesIt = new Set(
  "ls cat which type file stat readlink realpath echo printf grep egrep fgrep rg test [ head tail wc diff cmp md5sum sha256sum dirname basename command find".split(
    " ",
  ),
);

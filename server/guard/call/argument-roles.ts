/** The role of an argument in a command that a tool runs, derived from the argument's name. */
export type ArgumentRole =
  /** A shell command, in any tool. */
  | "command"
  /** Several shell commands, one per line. */
  | "commands"
  /** A shell command when the tool is a shell. */
  | "script"
  | "scripts"
  /** A shell command when the tool is a shell and no other argument is a command. */
  | "text"
  /** A program, which together with its arguments is a command. */
  | "program"
  | "arguments"
  /** The words of a command, the program first. */
  | "words"
  /** The language in which the command is written. */
  | "language";

const names: Record<ArgumentRole, string> = {
  command:
    "command cmd commandline cmdline shell shellcommand shellcmd shellscript shellcode shellline bash bashcommand bashcmd bashscript bashcode exec execute execcommand run runcommand commandstring commandstr commandtext cmdstring cmdstr cmdtext fullcommand rawcommand commandtorun commandtoexecute cmdtorun",
  commands: "commands cmds commandlines cmdlines shellcommands shellcmds bashcommands commandlist cmdlist",
  script: "script code input",
  scripts: "scripts lines codelines scriptlines inputs",
  text: "text line body content contents source sourcecode cell snippet payload stdin statement expression value data keys keystrokes entry raw",
  program: "program programname programpath prog executable executablepath binary bin exe entrypoint",
  arguments:
    "arg args arguments argument params parameters flags options opts cmdargs commandargs commandarguments programargs scriptargs arglist argslist argumentlist extraargs",
  words: "argv commandargv cmdargv",
  language: "lang language runtime interpreter kernel shelltype",
};

const roles = new Map<string, ArgumentRole>();
for (const role of Object.keys(names) as ArgumentRole[]) for (const name of names[role].split(" ")) roles.set(name, role);
const maxNameChars = 24;
const isWrittenOtherwise = /[-_ A-Z]/;

/** Returns the role of an argument; `shell_command`, `shellCommand` and `Shell-Command` are the same name. */
export function findArgumentRole(name: string): ArgumentRole | undefined {
  if (name.length > maxNameChars) return;
  const role = roles.get(name);
  return role ?? (isWrittenOtherwise.test(name) ? roles.get(name.toLowerCase().replace(/[-_ ]/g, "")) : undefined);
}

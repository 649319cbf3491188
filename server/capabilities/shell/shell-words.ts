import { posix } from "node:path";

type Machine = { platform: NodeJS.Platform; environment: Readonly<Record<string, string | undefined>>; exists: (file: string) => boolean };

/** The words that run a command line; `isVerbatim`: Windows takes them as they are, because cmd.exe has quotes of its own. */
export type ShellWords = { program: string; args: string[]; isVerbatim: boolean };

/** Folders of the system, which the sandbox shows. */
const systemFolders = ["/bin", "/usr/bin", "/usr/local/bin"];
const bashes = ["/bin/bash", "/usr/bin/bash"];

/**
 * Returns the words that run a command line on a machine: `bash -c`, `/bin/sh -c` where there is no bash, and
 * `cmd.exe /D /S /C` on Windows. `$SHELL` names the bash where several are installed. Another shell there is not taken: models
 * write bash (`[[ ]]`, `{1..3}`, `source`), and the guard reads bash.
 */
export function shellWords(command: string, { platform, environment, exists }: Machine): ShellWords {
  if (platform === "win32") {
    const program = environment.ComSpec ?? "cmd.exe";
    return { program, args: ["/D", "/S", "/C", `"${command}"`], isVerbatim: true };
  }
  const { SHELL: chosen = "" } = environment;
  const isBash = posix.basename(chosen) === "bash" && systemFolders.includes(posix.dirname(chosen));
  const program = [...(isBash ? [chosen] : []), ...bashes].find(exists) ?? "/bin/sh";
  return { program, args: ["-c", command], isVerbatim: false };
}

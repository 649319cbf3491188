import "server-only";

/** The machine's folders for programs. Our own PATH may begin with folders that others write to. */
export const machineProgramFolders = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Variables of ours that choose a language or a time zone, and nothing else. */
const inherited = ["LANG", "LC_ALL", "LC_CTYPE", "TZ"] as const;

/**
 * Returns all variables of a call outside of the sandbox. Neither the conversation's nor the workspace's variables are
 * among them, because a program of the machine reads variables that nobody has listed.
 */
export function outsideEnvironment(home: string): Record<string, string> {
  return {
    PATH: machineProgramFolders,
    LANG: "C.UTF-8",
    ...Object.fromEntries(inherited.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    HOME: home,
    TERM: "dumb",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  };
}

/** Scopes of a session of an MCP server: shared by everybody, the calls of one conversation, or the calls of one user. */
export const sessionScopes = ["shared", "per_conversation", "per_user"] as const;
export type SessionScope = (typeof sessionScopes)[number];

type Suggested = { alias: string; transport: string; command?: string | null; args?: readonly string[] };

/**
 * Words in the alias, the command or the package of servers that keep state: browsers, interpreters, debuggers, terminals.
 * Each is a whole word, so that `playwright` matches `@playwright/mcp` and `rest` does not match `postgres`.
 */
const statefulWords = new Set([
  ..."playwright puppeteer browser browsermcp browserbase stagehand selenium webdriver chrome chromium firefox devtools".split(" "),
  ..."repl jupyter notebook ipython kernel interpreter terminal shell tmux debugger gdb lldb desktop vnc appium".split(" "),
  ..."thinking sequentialthinking".split(" "),
]);

/** Suggests the session scope of a new server: a server that keeps state gets a session per conversation. */
export function suggestSessionScope({ alias, transport, command, args = [] }: Suggested): SessionScope {
  // The words of options and paths say nothing about the program, so only its name counts.
  const packages = args.filter((arg) => !arg.startsWith("-") && !arg.startsWith("/") && !arg.includes("://"));
  const texts = transport === "stdio" ? [alias, command ?? "", ...packages.slice(0, 2)] : [alias];
  const words = texts
    .join(" ")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => statefulWords.has(word)) ? "per_conversation" : "shared";
}

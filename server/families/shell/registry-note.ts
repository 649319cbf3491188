/** Finds the answers 401 and 403 of a registry in the output of a package program. Group 1: the status. */
const refusals = [
  /\bnpm (?:error|ERR!) code E(401|403)\b/,
  /\bERR_PNPM_FETCH_(401|403)\b/,
  /\bHTTP error (401|403) while getting\b/,
  /\bERROR: (401|403) Client Error\b/,
  /\b(401|403) Client Error: [^\n]*\bfor url: \S*(?:simple|packages|pypi)/i,
];

/**
 * Returns the way out for a command whose registry of packages refused it. The settings of this machine's user, such as
 * ~/.npmrc, hold secrets and therefore never reach a sandbox, which the program cannot know.
 */
export function registryNote(output: string, { isBoxed }: { isBoxed: boolean }): string | null {
  const found = refusals.map((pattern) => pattern.exec(output)).find((match) => match !== null);
  if (!found) return null;
  const asked = found[1] === "403" ? "refused this request (403)" : "asks for a token (401)";
  if (!isBoxed) return `The registry of packages ${asked}. Ask an admin for access to it.`;
  return `The registry of packages ${asked}. Settings of this machine's user (.npmrc, pip.conf, .netrc) do not reach the sandbox. Where a company has a registry of its own, an admin sets it with its token in Settings, Package registries.`;
}

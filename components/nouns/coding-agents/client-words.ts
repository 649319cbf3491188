import type { CodingClient } from "@/contracts/agents/coding-agents";
import type { Approval } from "@/contracts/approvals/approvals";

/** Names of the clients, as their makers write them. */
export const clientWords: Record<CodingClient, string> = {
  "claude-code": "Claude Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  copilot: "Copilot CLI",
  opencode: "opencode",
  cursor: "Cursor",
  other: "Another client",
};

/** Says where a client runs a call: "Run by Claude Code as ada on laptop, in /home/ada/shop (github.com/acme/shop)". */
export function machineWords({ client, folder, repository, host, user }: NonNullable<Approval["machine"]>): string {
  const names: Record<string, string> = clientWords;
  const by = Object.hasOwn(names, client) ? names[client] : client;
  return [
    `Run by ${by}`,
    ...(user ? [`as ${user}`] : []),
    ...(host ? [`on ${host},`] : []),
    `in ${folder}`,
    ...(repository ? [`(${repository})`] : []),
  ].join(" ");
}

import type { CodingClient } from "@/contracts/coding-agents";

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

import type { GuardRuleDraft } from "@/contracts/guard/guard";
import { lookingCommands } from "@/contracts/lib/looking-commands";

export type RulePreset = {
  title: string;
  why: string;
  rule: Omit<GuardRuleDraft, "priority" | "enabled" | "expiresAt" | "excludePattern" | "comparisons" | "context" | "relaxes" | "approvers">;
  /** Verdict of the preset on the tool's other calls. */
  otherwise?: "require_approval" | "deny";
};

/** Presets for common rules; each fills the editor, where the person can change and try it before saving. */
export const rulePresets: readonly RulePreset[] = [
  {
    title: "Allow read-only shell commands",
    why: "Commands that only look, such as ls, cat, grep and git status, run; every other command needs approval.",
    rule: {
      name: "Read-only shell commands",
      tool: "shell_execute",
      parameter: null,
      pattern: lookingCommands,
      verdict: "allow",
      reason: "",
    },
    otherwise: "require_approval",
  },
  {
    title: "Ask before any write",
    why: "Calls that change files, systems or other people's data need approval.",
    rule: {
      name: "Ask before any write",
      tool: "effect:write",
      parameter: null,
      pattern: null,
      verdict: "require_approval",
      reason: "This tool changes something.",
    },
  },
  {
    title: "Ask before anything destructive",
    why: "Tools that can delete or overwrite need approval, even if writes are allowed.",
    rule: {
      name: "Ask before anything destructive",
      tool: "effect:destroy",
      parameter: null,
      pattern: null,
      verdict: "require_approval",
      reason: "This tool can destroy something.",
    },
  },
  {
    title: "Let writes into one folder pass",
    why: "Writes to files below drafts/ run without approval.",
    rule: {
      name: "Write drafts freely",
      tool: "write_file",
      parameter: "path",
      pattern: "^drafts/",
      verdict: "allow",
      reason: "",
    },
  },
  {
    title: "Deny fetching over plain HTTP",
    why: "Only https addresses may be fetched.",
    rule: {
      name: "No plain HTTP",
      tool: "url_fetch",
      parameter: "url",
      pattern: "^http://",
      verdict: "deny",
      reason: "Fetch this address over https instead.",
    },
  },
  {
    title: "Ask for every tool of MCP servers",
    why: "Every call of an MCP tool needs approval, for servers that you do not know yet.",
    rule: {
      name: "Ask for MCP tools",
      tool: "source:mcp",
      parameter: null,
      pattern: null,
      verdict: "require_approval",
      reason: "Calls of MCP tools need approval here.",
    },
  },
];

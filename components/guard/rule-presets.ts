import type { GuardRuleDraft } from "@/contracts/guard";

export type RulePreset = {
  title: string;
  why: string;
  rule: Omit<GuardRuleDraft, "priority" | "enabled" | "expiresAt" | "excludePattern" | "comparisons" | "context" | "relaxes">;
  /** What this preset says about the tool's other calls. */
  otherwise?: "require_approval" | "deny";
};

/** Rules that most workspaces begin with; each is filled into the editor, where it can be changed and tried before saving. */
export const rulePresets: readonly RulePreset[] = [
  {
    title: "Allow read-only shell commands",
    why: "ls, cat, grep and find pass; every other command asks a person.",
    rule: {
      name: "Read-only shell commands",
      tool: "shell_execute",
      parameter: null,
      pattern: "^(ls|cat|grep|find)(\\s|$)",
      verdict: "allow",
      reason: "",
    },
    otherwise: "require_approval",
  },
  {
    title: "Ask before any write",
    why: "Whatever changes files, systems or other people's data waits for a person.",
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
    why: "Tools that can delete or overwrite wait for a person, even where writes pass.",
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
    why: "Files below drafts/ may be written without asking.",
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
    why: "Until you know what a server's tools do, a person looks at each call.",
    rule: {
      name: "Ask for MCP tools",
      tool: "source:mcp",
      parameter: null,
      pattern: null,
      verdict: "require_approval",
      reason: "Tools of MCP servers wait for a person here.",
    },
  },
];

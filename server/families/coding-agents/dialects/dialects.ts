import type { Dialect as DialectName } from "@/contracts/agents/coding-agents";
import { claudeCode } from "./claude-code";
import { codex } from "./codex";
import { copilot } from "./copilot";
import { cursor } from "./cursor";
import type { Dialect } from "./dialect";
import { gemini } from "./gemini";
import { opencode } from "./opencode";

/** Every dialect by its client. */
export const dialectOf: Readonly<Record<DialectName, Dialect>> = { "claude-code": claudeCode, codex, gemini, copilot, opencode, cursor };

import "server-only";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { defineCapability } from "@/server/capabilities/define-capability";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import type { ShellCapability } from "@/server/capabilities/shell/shell";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import { AppError } from "@/server/platform/errors";

/**
 * A shell in an empty folder that is removed afterwards, in a sandbox of its own: no file of the conversation, no /tmp of
 * the conversation, no network, and no opening whatever a rule allows.
 */
export const strictShell = defineCapability({
  name: "strict_shell",
  title: "Commands in an empty folder without network",
  isOfConversation: false,
  create: (): ShellCapability => ({ run: runStrictly }),
});

const runStrictly: ShellCapability["run"] = async (command, options) => {
  if (!sandboxStatus().isOn) {
    throw new AppError("unavailable", "Strict mode needs the sandbox, which this machine does not have. Use the mode project.");
  }
  const folder = await mkdtemp(path.join(tmpdir(), "handrail-code-"));
  try {
    return await workspaceShell(folder).run(command, options);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
};

import { lookingCommands } from "@/contracts/lib/looking-commands";
import { shell } from "@/server/capabilities/call-capabilities";
import { commandTool } from "@/server/tools/results/helping-tools";
import { defineFamily } from "../define-family";
import { commandsStep, networksStep, outsideHomeStep, processesStep } from "./boot-steps";
import { shellSettingsAnswers } from "./endpoints";
import { processes } from "./processes/processes";
import { settleLostProcesses } from "./processes/settle-lost";
import { sandboxCheck } from "./sandbox-check";
import { shellSession } from "./shell-session";
import { strictShell } from "./strict-shell";
import { executeCode } from "./tools/execute-code";
import { powershell } from "./tools/powershell";
import { processTool } from "./tools/process";
import { shellExecute } from "./tools/shell-execute";

export const shellFamily = defineFamily({
  name: "shell",
  endpoints: shellSettingsAnswers,
  tools: [executeCode, powershell, processTool, shellExecute],
  capabilities: [processes, shell, shellSession, strictShell],
  findLostWork: [settleLostProcesses],
  doctor: [sandboxCheck],
  boot: [outsideHomeStep, networksStep, processesStep, commandsStep],
  promptHints: [[commandTool, "shell_execute"]],
  // Without a sandbox, this rule allows reading commands. It is an ordinary rule, so admins see and change it.
  ruleWithoutSandbox: {
    name: "Commands that only look",
    tool: "shell_execute",
    pattern: lookingCommands,
    verdict: "allow",
    reason: "It only looks. What it reads has to lie in the folder.",
  },
});

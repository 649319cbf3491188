import { z } from "zod";
import type { Json, JsonObject } from "@/contracts/common";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { subtaskResult } from "@/server/tools/results/subtask-result";
import { acp } from "../acp/acp-capability";
import { askForSchema, readAnswer, readOutputSchema } from "../output-schema";
import { pausedSentence, readDelegationSettings } from "../settings";
import { plainWait, Task } from "./delegate";
import { observeProfiles } from "./watch-child";

const timeoutMs = 1_800_000;

const off =
  "acp_spawn is off in this workspace, because no agent program is allowed. An admin who may run programs adds one in Settings → Agents at work.";

export const acpSpawn = defineTool({
  name: "acp_spawn",
  title: "Run an agent program",
  description:
    "Hands a task to an agent program that an admin allowed (Agent Client Protocol), waits for its answer and returns an envelope with status, summary and output. It works in this conversation's folder; people decide what it asks permission for.",
  family: "delegation",
  tier: "extension",
  effect: "write",
  needs: [acp],
  names: {
    aliases: ["acpSpawn"],
    parameterAliases: { prompt: "task", output_schema: "outputSchema", observe_profile: "observeProfile" },
  },
  primaryArgument: "agent",
  approval: { dangerous: true },
  running: { concurrencySafe: true },
  timeoutMs,
  disclosure: {
    workspaceAvailability: async (workspaceId) => {
      const { paused, acpAgents } = await readDelegationSettings(workspaceId);
      return paused ? pausedSentence : acpAgents.length > 0 ? null : off;
    },
  },
  input: z
    .object({
      agent: z.string().trim().min(1, "Name the agent program.").max(100).describe("Name of the agent program"),
      task: Task,
      cwd: z.string().trim().min(1).max(1_000).default(".").describe("Folder in which it works, relative to the workspace"),
      outputSchema: z
        .union([z.record(z.string(), z.json()), z.string().max(50_000)])
        .optional()
        .describe("JSON Schema of the output; the answer is parsed and checked"),
      observeProfile: z.enum(observeProfiles).default("default").describe("Accepted for runtimes that send it; people see each step"),
    })
    .superRefine(({ outputSchema }, context) => {
      const read = outputSchema === undefined ? null : readOutputSchema(outputSchema as JsonObject | string);
      if (read && !read.ok) context.addIssue({ code: "custom", path: ["outputSchema"], message: read.message });
    }),
  async execute({ agent, task, cwd, outputSchema }, { acp, signal, timeoutMs, progress, waitElsewhere = plainWait }) {
    const read = outputSchema === undefined ? null : readOutputSchema(outputSchema as JsonObject | string);
    const schema = read?.ok ? read.schema : null;
    const prompt = schema ? `${task}\n\n${askForSchema(schema)}` : task;
    const { text, stopReason } = await waitElsewhere(() => acp.prompt({ agent, task: prompt, cwd, signal, timeoutMs, progress }));
    if (stopReason !== "end_turn") return envelope(text, `${agent} stopped before it was done (${stopReason}).`);
    if (!schema) return text.trim() === "" ? envelope("", `${agent} ended without an answer.`) : envelope(text, "");
    const answer = readAnswer(schema, text);
    return answer.ok ? envelope(answer.value, "") : envelope(text, `The answer does not fit the schema: ${answer.problem}.`);
  },
});

function envelope(output: Json, error: string) {
  const isText = typeof output === "string";
  const result = subtaskResult({
    task_id: crypto.randomUUID(),
    status: error === "" ? "done" : "failed",
    summary: error || (isText ? output : "JSON of the schema"),
    output_kind: isText ? "text" : "json",
    output_schema: isText ? "subtask.acp.result.v1" : "subtask.acp.custom",
    output,
    error,
  });
  return toolResult({ text: JSON.stringify(result), structuredContent: result, isError: error !== "" });
}

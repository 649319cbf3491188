import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import type { Run } from "@/contracts/runs/runs";
import { actsInside } from "@/server/guard/effects/declare-effects";
import { needsModel } from "@/server/models/ask-agent";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { subtaskResult } from "@/server/tools/results/subtask-result";
import { answerText, taskEnd } from "../child-result";
import { type DelegationCapability, delegation } from "../delegation-capability";
import { askForSchema, readAnswer, readOutputSchema } from "../output-schema";
import { whyPaused } from "../settings";
import { childTimeoutMs, plainWait, Task } from "./delegate";
import { observeProfiles, watchChild } from "./watch-child";

const whyNoModel = needsModel("spawn");
const noTools = "missing required param: tools (must be a non-empty array of tool names)";

export const spawn = defineTool({
  name: "spawn",
  title: "Spawn a subtask",
  description:
    "Runs a task in a fresh copy of this agent that has only the given tools, works in the same folder and sees nothing of this conversation. Waits for it and returns an envelope with status, summary and output. Use it to keep long work out of this conversation.",
  family: "delegation",
  tier: "extension",
  effect: "write",
  approval: {
    effects: () => [actsInside("hands a task to an agent of its own")],
  },
  needs: [delegation],
  names: {
    aliases: ["spawn_agent", "spawn_subtask"],
    parameterAliases: { prompt: "task", output_schema: "outputSchema", observe_profile: "observeProfile" },
  },
  primaryArgument: "task",
  recovery: { idempotent: true },
  running: { concurrencySafe: true, backgroundable: true },
  timeoutMs: childTimeoutMs,
  disclosure: { workspaceAvailability: async (workspaceId) => (await whyPaused(workspaceId)) ?? whyNoModel(workspaceId) },
  input: z
    .object({
      task: Task,
      tools: z
        .array(z.string().max(200), { error: noTools })
        .min(1, noTools)
        .max(200)
        .describe("Names of your own tools that it may use; spawn is not one of them"),
      model: z.string().trim().min(1).max(200).optional().describe("Name of a model of this workspace; yours when left out"),
      outputSchema: z
        .union([z.record(z.string(), z.json()), z.string().max(50_000)])
        .optional()
        .describe("JSON Schema of the output; the answer is parsed and checked"),
      observeProfile: z
        .enum(observeProfiles)
        .default("default")
        .describe("What people see while it works: tools (default), commands (long_shell) or addresses (web_extract)"),
    })
    .superRefine(({ outputSchema }, context) => {
      const read = outputSchema === undefined ? null : readOutputSchema(outputSchema as JsonObject | string);
      if (read && !read.ok) context.addIssue({ code: "custom", path: ["outputSchema"], message: read.message });
    }),
  async execute({ task, tools, model, outputSchema, observeProfile }, { delegation, signal, progress, waitElsewhere = plainWait }) {
    const read = outputSchema === undefined ? null : readOutputSchema(outputSchema as JsonObject | string);
    const schema = read?.ok ? read.schema : null;
    const message = schema ? `${task}\n\n${askForSchema(schema)}` : task;
    const copy = { tools, ...(model ? { model } : {}) };
    const ask = async (asked: Parameters<DelegationCapability["copySelf"]>[0]) => {
      const { runId } = await delegation.copySelf(asked);
      const unwatch = watchChild(runId, observeProfile, progress);
      try {
        return await delegation.awaitEnd(runId, { signal });
      } finally {
        unwatch();
      }
    };
    return waitElsewhere(async () => {
      const run = await ask({ ...copy, message, place: 0 });
      if (!schema || !isAnswered(run)) return envelope(run);
      const answer = readAnswer(schema, run.answer ?? "");
      if (answer.ok) return jsonEnvelope(run, answer.value);
      const repair = `Your answer does not fit the schema: ${answer.problem}. ${askForSchema(schema)}`;
      const again = await ask({ ...copy, message: repair, place: 1, conversationId: run.conversationId });
      const second = isAnswered(again) ? readAnswer(schema, again.answer ?? "") : null;
      if (second?.ok) return jsonEnvelope(again, second.value);
      return envelope(again, `The answer does not fit output_schema: ${second ? second.problem : answerText(again)}.`);
    });
  },
});

const isAnswered = (run: Run): boolean => taskEnd(run) === "success";

function jsonEnvelope(run: Run, output: Parameters<typeof subtaskResult>[0]["output"]) {
  const result = subtaskResult({
    task_id: run.id,
    status: "done",
    summary: `${run.steps} ${run.steps === 1 ? "step" : "steps"}`,
    output_kind: "json",
    output_schema: "subtask.spawn.custom",
    output,
    error: "",
  });
  return toolResult({ text: JSON.stringify(result), structuredContent: result });
}

function envelope(run: Run, problem: string | null = null) {
  const text = answerText(run);
  const isDone = isAnswered(run) && problem === null;
  const result = subtaskResult({
    task_id: run.id,
    status: isDone ? "done" : "failed",
    summary: isDone ? text : (problem ?? text),
    output_kind: "text",
    output_schema: "subtask.spawn.result.v1",
    output: isDone ? text : (run.answer ?? ""),
    error: isDone ? "" : (problem ?? text),
  });
  return toolResult({ text: JSON.stringify(result), structuredContent: result, isError: !isDone });
}

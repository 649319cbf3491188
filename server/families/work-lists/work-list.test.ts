import { describe, expect, test } from "vitest";
import { authorize } from "@/server/testing/builders";
import { calling, giveModel, saying, sentTexts, start, transcriptOf, useRunStage } from "@/server/testing/models/run-stage";
import { submitCalls } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { getWorkList, workListContext } from "./read-work-list";
import { addGoalCriterion, completeGoal, getGoalStatus, setGoal } from "./tools/goal-tools";
import { planCreate } from "./tools/plan-create";
import { progressUpdate } from "./tools/progress-update";
import { todo } from "./tools/todo";

const stage = useRunStage();
const list = () => getWorkList(authorize(stage.built.viewer, "turns:read"), stage.conversationId);
const build = () =>
  buildTools(stage.built.workspace.id, [planCreate, progressUpdate, todo, setGoal, addGoalCriterion, completeGoal, getGoalStatus], {
    alias: "lists",
  });
const ask = async (name: string, args = {}) => {
  const { calls } = await submitCalls(stage, [[name, args]]);
  return calls[0] ?? { content: "", isError: true };
};
const plan = { thought: "Look, then change.", steps: ["Look around", "  ", { step: "Change it" }, "Tell"] };

describe("a plan", () => {
  test("is made by the agent's model, and moves on with each later successful call", async () => {
    await build();
    const fenced = `Here it is:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\``;
    const server = await giveModel(stage, [
      calling(["plan_create", { task: "Change it", style: "terse" }]),
      saying(fenced),
      calling(["look", { text: "a" }], ["no_such_tool", {}], ["todo", { todos: [{ id: "1", content: "Look" }] }]),
      saying("Done."),
    ]);
    const run = await start(stage, "Change it");
    expect(run).toMatchObject({ status: "succeeded" });
    const [made] = (await transcriptOf(run.id)).filter((line) => line.startsWith("tool: "));
    expect(JSON.parse(made?.slice("tool: ".length) ?? "")).toEqual({
      plan: {
        thought: plan.thought,
        steps: [
          { step: "Look around", status: "in_progress" },
          { step: "Change it", status: "pending" },
          { step: "Tell", status: "pending" },
        ],
      },
    });
    expect(server.requests[1] && sentTexts(server.requests[1])[0]).toContain("at most 6 steps");
    expect((await list()).plan?.steps.map(({ status }) => status)).toEqual(["completed", "in_progress", "pending"]);
    await submitCalls(stage, [["look"], ["look"], ["look"]]);
    expect((await list()).plan?.steps.map(({ status }) => status)).toEqual(["completed", "completed", "completed"]);
  });

  test("has max_steps steps at the most, from the model that the call names", async () => {
    await build();
    const server = await giveModel(stage, [saying(JSON.stringify(plan))]);
    expect((await ask("plan_create", { task: "t", max_steps: 1, model: "test-model" })).content).toContain("Look around");
    expect((await list()).plan?.steps).toHaveLength(1);
    expect((await ask("plan_create", { task: "t", model: "other" })).content).toContain("There is no model other");
    expect(server.requests).toHaveLength(1);
  });

  test("is refused without a task, without a model, and when the model writes no plan", async () => {
    await build();
    expect((await ask("plan_create")).content).toContain("missing required param: task");
    expect((await ask("plan_create", { task: "  " })).content).toContain("missing required param: task");
    expect((await ask("plan_create", { task: "t" })).content).toContain("plan_create unavailable (missing llm client)");
    await giveModel(stage, [saying('{"steps": [" ", ""]}')]);
    expect((await ask("plan_create", { task: "t" })).content).toContain("invalid plan_create response");
    expect((await list()).plan).toBeNull();
  });
});

test("progress is kept by key in the order of the first reports, under any of the status words", async () => {
  await build();
  await ask("progress_update", { stepKey: "build", label: "Build it", status: "running" });
  await ask("progressUpdate", { step_key: "test", status: "pending" });
  const answer = await ask("progress_update", { stepKey: "build", status: "done", note: "in 3 s" });
  expect(JSON.parse(answer.content)).toEqual({ ok: true, stepKey: "build", status: "completed", done: 1, total: 2 });
  expect((await list()).progress).toEqual([
    { key: "build", label: "Build it", status: "completed", note: "in 3 s" },
    { key: "test", label: "test", status: "pending", note: "" },
  ]);
  expect((await ask("progress_update", { stepKey: "x", status: "odd" })).content).toContain("status");
});

test("a goal is reached when each of its criteria is met", async () => {
  await build();
  expect((await ask("complete_goal")).content).toContain("has no goal");
  expect(JSON.parse((await ask("get_goal_status")).content)).toMatchObject({ status: "none" });
  await ask("setGoal", { description: "Ship it", criteria: ["Tests are green"] });
  await ask("addGoalCriterion", { criterion: "Docs are written" });
  expect((await ask("complete_goal")).content).toContain("1. Tests are green; 2. Docs are written");
  expect((await ask("complete_goal", { criterion: 3 })).content).toContain("no criterion 3");
  await ask("complete_goal", { criterion: 1 });
  await ask("completeGoal", { criterion: 2 });
  await ask("complete_goal", { summary: "Shipped" });
  expect((await list()).goal).toMatchObject({ goal: "Ship it", status: "completed", summary: "Shipped" });
  await ask("add_goal_criterion", { criterion: "Somebody uses it" });
  expect(JSON.parse((await ask("getGoalStatus")).content)).toMatchObject({ status: "active", criteria: [{}, {}, { met: false }] });
});

test("open work comes back after a history was shortened, and finished work does not", async () => {
  await build();
  await giveModel(stage, [saying(JSON.stringify(plan))]);
  await ask("set_goal", { goal: "Ship it" });
  await ask("plan_create", { task: "Change it" });
  await ask("todo", { todos: [{ id: "1", content: "Look", status: "in_progress" }] });
  const text = await workListContext(stage.conversationId);
  expect(text).toContain("[Your goal was preserved: Ship it]");
  expect(text).toContain("- [>] Look around\n- [ ] Change it");
  expect(text).toContain("[Your active task list was preserved across context compression]");
  await ask("complete_goal");
  await ask("todo", { todos: [] });
  await submitCalls(stage, [["look"], ["look"], ["look"]]);
  expect(await workListContext(stage.conversationId)).toBe("");
});

test("a key of another agent does not see the list", async () => {
  const foreign = { ...stage.built.agentKey, agentId: stage.built.workspace.id };
  await expect(getWorkList(authorize(foreign, "turns:read"), stage.conversationId)).rejects.toThrow("does not exist");
});

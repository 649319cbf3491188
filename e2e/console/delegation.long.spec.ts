import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { delegationEndpoints } from "@/contracts/agents/delegation";
import { modelEndpoints } from "@/contracts/models/models";
import { runEndpoints } from "@/contracts/runs/runs";
import { askBefore, expect, test } from "../fixtures";
import { type AskedCompletion, startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";
import { findLine, openInbox, openLine } from "./pending-approvals";

askBefore("write_file");

const textOf = ({ messages }: AskedCompletion, role: string) =>
  messages
    .filter((message) => message.role === role)
    .map(({ content }) => (typeof content === "string" ? content : JSON.stringify(content)))
    .at(-1);

test("a file that a tester writes for a coder for a writer is approved on a phone, and the answer comes back through both", async ({
  consolePage: page,
  api,
}) => {
  const mark = randomUUID().slice(0, 8);
  const path = `delegated-${mark}.txt`;
  const [writer, coder, tester] = ["writer", "coder", "tester"].map((name) => `${name}-${mark}`) as [string, string, string];
  const handOn = (agentName: string) => ({ toolCalls: [{ id: "1", name: "delegate", arguments: { agentName, task: `Write ${path}` } }] });
  const first = {
    [writer]: handOn(coder),
    [coder]: handOn(tester),
    [tester]: { toolCalls: [{ id: "1", name: "write_file", arguments: { path, content: "done\n" } }] },
  };
  const model = await startStreamingModelServer({
    key: "sk-of-the-agents",
    models: ["small"],
    reply: (question) => {
      const name = /I am ([\w-]+)\./.exec(textOf(question, "system") ?? "")?.[1] ?? "";
      const result = textOf(question, "tool");
      return result === undefined ? (first[name] ?? { text: "Who am I?" }) : { text: `${name}: done` };
    },
  });
  try {
    const provider = await api.admin.call(modelEndpoints.create, {
      body: {
        name: `Lab ${mark}`,
        kind: "openai_compatible",
        baseUrl: model.url,
        key: "sk-of-the-agents",
        models: [{ name: "small" }],
      },
    });
    const models = [{ providerId: provider.id, model: "small" }];
    const make = (name: string, mayBeAsked: boolean) =>
      api.admin.call(agentEndpoints.create, { body: { name, instructions: `I am ${name}.`, models, mayBeAsked } });
    const { id } = await make(writer, false);
    await make(coder, true);
    await make(tester, true);
    const run = await api.admin.call(runEndpoints.start, { params: { id }, body: { message: `Have ${path} written` } });

    await page.setViewportSize({ width: 390, height: 844 });
    await openInbox(page, path);
    await expect(findLine(page, path)).toContainText(`asked by ${coder}, for ${writer}, for `);
    const detail = await openLine(page, path);
    await expect(detail).toContainText(`asked by ${coder}, for ${writer}, for `);
    await checkPage(page, "an approval of a child on a phone");
    await detail.getByRole("button", { name: "Approve once" }).click();

    const done = await api.admin.call(runEndpoints.get, { params: { id: run.id }, query: { wait: 60 } });
    expect(done).toMatchObject({ status: "succeeded", answer: `${writer}: done` });
    await open(page, `/turns/${done.turnId}`);
    await expect(page.getByRole("link", { name: `Run of ${writer}` })).toHaveAttribute("href", `/runs/${done.id}`);
    const handed = page.getByRole("region", { name: "Agents at work" });
    await expect(handed.getByRole("link", { name: coder })).toBeVisible();
    await expect(handed).toContainText("Succeeded");
    await checkPage(page, "a turn with a handed task");
    await handed.getByRole("link", { name: coder }).click();
    await expect(handed.getByRole("link", { name: `the agent ${writer}` })).toBeVisible();
    await expect(handed.getByRole("link", { name: tester })).toBeVisible();
  } finally {
    await model.close();
  }
});

test("an admin pauses the handing of tasks, and an agent's settings say who may ask it", async ({ consolePage: page, api }) => {
  const name = `asked-${randomUUID().slice(0, 8)}`;
  const { id } = await api.admin.call(agentEndpoints.create, { body: { name } });
  await open(page, `/agents/${id}?tab=settings`);
  await page.getByRole("switch", { name: "May be asked by other agents" }).click();
  await page.getByRole("switch", { name: "Offer as a tool" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect
    .poll(() => api.admin.call(agentEndpoints.get, { params: { id } }))
    .toMatchObject({ mayBeAsked: true, offeredAsTool: true, delegates: null });
  await open(page, "/settings#delegation");
  await page.getByRole("switch", { name: "Pause" }).click();
  await expect.poll(async () => (await api.admin.call(delegationEndpoints.get)).paused).toBe(true);
  await page.getByRole("switch", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Allow a program" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Command", { exact: true }).fill("no-such-agent");
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await expect(page.getByText("acp_spawn is unavailable until one is allowed.")).toBeVisible();
  await expect.poll(async () => (await api.admin.call(delegationEndpoints.get)).paused).toBe(false);
});

import { randomUUID } from "node:crypto";
import { agentEndpoints } from "@/contracts/agents/agents";
import { modelEndpoints } from "@/contracts/models/models";
import { runEndpoints } from "@/contracts/runs/runs";
import { askBefore, expect, test } from "../fixtures";
import { startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";

askBefore("write_file");

test("a run's page shows its steps with tokens, cost and time, a person cancels it there, and the agent's page sums it up", async ({
  consolePage: page,
  api,
}) => {
  const mark = randomUUID().slice(0, 8);
  const model = await startStreamingModelServer({
    key: "sk-of-the-runs",
    models: ["small"],
    reply: ({ messages }) => {
      const results = messages.filter(({ role }) => role === "tool").length;
      if (results === 0) return { text: "I look at the clock.", toolCalls: [{ id: "1", name: "date_time", arguments: {} }] };
      return { text: "I write.", toolCalls: [{ id: "2", name: "write_file", arguments: { path: `${mark}.txt`, content: "a" } }] };
    },
  });
  try {
    const provider = await api.admin.call(modelEndpoints.create, {
      body: {
        name: `Runs ${mark}`,
        kind: "openai_compatible",
        baseUrl: model.url,
        key: "sk-of-the-runs",
        models: [{ name: "small", inputPrice: 100, cachedInputPrice: 10, outputPrice: 1_000 }],
      },
    });
    const { id } = await api.admin.call(agentEndpoints.create, {
      body: { name: `runs-${mark}`, models: [{ providerId: provider.id, model: "small" }] },
    });
    await open(page, `/agents/${id}?tab=runs`);
    await expect(page.getByText("No runs yet")).toBeVisible();
    const run = await api.admin.call(runEndpoints.start, { params: { id }, body: { message: "What time is it?", wait: 30 } });
    expect(run.status).toBe("waiting");

    await open(page, `/agents/${id}?tab=runs`);
    const usage = page.getByRole("table", { name: "Usage by day" });
    await expect(usage.getByRole("row").nth(1)).toContainText("24");
    await checkPage(page, "the runs of an agent");
    await page.getByRole("table", { name: "Runs" }).getByRole("link").first().click();

    await expect(page).toHaveURL(`/runs/${run.id}`);
    const steps = page
      .getByRole("region", { name: "Steps" })
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { level: 3 }) });
    await expect(steps).toHaveCount(2);
    await expect(steps.first()).toContainText("small");
    await expect(steps.first()).toContainText("12 in, 2 out");
    await expect(steps.first()).toContainText("$0.0032");
    await expect(page.getByText("$0.0064")).toBeVisible();
    await expect(page.getByRole("link", { name: "Open in chat" })).toHaveAttribute("href", `/chat?chat=${run.conversationId}`);
    await checkPage(page, "a run that waits");
    await page.getByRole("button", { name: "Cancel run" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel run" }).click();
    await expect(page.getByText("Cancelled", { exact: true }).first()).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel run" })).toHaveCount(0);
    await checkPage(page, "a cancelled run");

    await open(page, `/chat?chat=${run.conversationId}`);
    await expect(page.getByRole("link", { name: "Open run" })).toHaveAttribute("href", `/runs/${run.id}`);
  } finally {
    await model.close();
  }
});

test("a run that does not exist is a page that says so", async ({ consolePage: page }) => {
  await page.goto(`/runs/${randomUUID()}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Nothing here");
});

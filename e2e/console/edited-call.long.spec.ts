import { randomUUID } from "node:crypto";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { webhookEndpoints } from "@/contracts/hooks/webhooks";
import { modelEndpoints } from "@/contracts/models/models";
import { runEndpoints } from "@/contracts/runs/runs";
import { askBefore, expect, test } from "../fixtures";
import { startStreamingModelServer } from "../streaming-model-server";
import { startWebhookReceiver } from "../webhook-receiver";
import { checkPage, open } from "./check-page";
import { decideAtOnce } from "./pending-approvals";

askBefore("shell_execute");

const key = "sk-of-the-edit-123456";

test("an edited call reads the same in Chat, run, turn, Turns, History, audit, CSV and webhook, and its card becomes a line", async ({
  consolePage: page,
  api,
}) => {
  const marker = `release-${randomUUID().slice(0, 8)}`;
  const asked = `echo deploy ${marker} to production`;
  const ran = `echo deploy ${marker} to staging`;
  const server = await startStreamingModelServer({
    key,
    models: ["large-model"],
    reply: ({ messages }) =>
      messages.some(({ role }) => role === "tool")
        ? { text: "All was done." }
        : { toolCalls: [{ id: "1", name: "shell_execute", arguments: { command: asked } }] },
  });
  const receiver = await startWebhookReceiver();
  try {
    for (const { id } of (await api.admin.call(modelEndpoints.list)).items) await api.admin.call(modelEndpoints.remove, { params: { id } });
    const models = [{ name: "large-model", inputPrice: 2, cachedInputPrice: null, outputPrice: 8 }];
    await api.admin.call(modelEndpoints.create, { body: { name: "Lab", kind: "openai_compatible", baseUrl: server.url, key, models } });
    const body = { name: marker, url: receiver.url, events: ["approval.decided" as const, "turn.finished" as const] };
    await api.admin.call(webhookEndpoints.create, { body });

    await decideAtOnce(page);
    await open(page, "/chat");
    await page.getByRole("textbox", { name: /^Message to/ }).fill(`Release ${marker}.`);
    await page.getByRole("textbox", { name: /^Message to/ }).press("Enter");
    const thread = page.getByRole("region", { name: "Conversation" });
    const card = thread.getByRole("region", { name: /^Approval of/ });
    await expect(card.getByRole("group", { name: "Command" })).toHaveText(asked);
    await expect(page.getByRole("list", { name: "Conversations" }).getByText("Needs approval").first()).toBeVisible();
    await card.getByRole("button", { name: "Edit" }).click();
    await card.getByRole("textbox", { name: "command", exact: true }).fill(ran);
    await card.getByRole("button", { name: "Approve edited" }).click();
    await expect(thread.getByText("All was done.")).toBeVisible({ timeout: 30_000 });
    await expect(card, "the card is a line at most").toHaveCount(0);
    const call = thread.getByRole("article", { name: "Call of shell_execute" });
    await expect(call).toContainText(ran);
    await expect(call).toContainText(/Edited by /);
    await expect(call).not.toContainText(asked);
    await call.getByRole("button", { name: /shell_execute/ }).click();
    await expect(call.getByRole("region", { name: "Arguments before the edit" }).locator("del")).toHaveText(asked);
    await checkPage(page, "an edited call in the chat");

    const { items } = await api.admin.call(runEndpoints.list, { query: { limit: 1 } });
    const run = items[0];
    const turnId = run?.turnId ?? "";
    await open(page, `/runs/${run?.id}`);
    const step = page.getByRole("article", { name: "Call of shell_execute" });
    await expect(step).toContainText(ran);
    await expect(step).toContainText(/Edited by /);
    await open(page, `/turns/${turnId}`);
    await expect(page.getByText(/^Approved with changes by /)).toBeVisible();
    await expect(page.getByRole("main")).toContainText(ran);
    await checkPage(page, "the turn of an edited call");
    await open(page, `/turns?query=${marker}`);
    await expect(page.getByRole("main")).toContainText(ran);
    await expect(page.getByRole("main")).toContainText(/Edited by /);
    await open(page, `/approvals?tab=history&query=${marker}`);
    const row = page.getByRole("row").filter({ hasText: ran });
    await expect(row).toContainText("shell_execute");
    await expect(row).toContainText(/Edited by /);
    await checkPage(page, "the history with an edited call");
    await row.getByRole("link").first().click();
    await expect(page.getByRole("region", { name: "Arguments before the edit" }).locator("del")).toHaveText(asked);
    await open(page, `/audit?event=approval.approved&query=${marker}`);
    await expect(page.getByRole("main").getByRole("row").filter({ hasText: ran }).first()).toContainText(/Edited by /);
    await checkPage(page, "the audit with an edited call");

    const csv = await (
      await api.admin.send(auditEndpoints.export, { query: { format: "csv", event: "approval.approved", query: marker } })
    ).text();
    expect(csv).toContain(`""arguments"":{""command"":""${ran}""`);
    expect(csv).toContain(`""askedArguments"":{""command"":""${asked}""`);
    const delivered = (event: string) => receiver.received.find(({ headers }) => headers["handrail-event"] === event)?.body ?? "{}";
    await expect.poll(() => delivered("approval.decided")).toContain(marker);
    expect(JSON.parse(delivered("approval.decided"))).toMatchObject({
      data: { summary: ran, askedSummary: asked, editedBy: { type: "user" } },
    });
    await expect.poll(() => delivered("turn.finished")).toContain(ran);
    const history = await api.viewer.call(approvalEndpoints.list, { query: { isDecided: "true", query: marker } });
    expect(history.items).toHaveLength(1);
  } finally {
    await server.close();
    await receiver.close();
  }
});

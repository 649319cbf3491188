import { readFile } from "node:fs/promises";
import { modelEndpoints } from "@/contracts/models/models";
import { skillEndpoints } from "@/contracts/skills/skills";
import { expect, test } from "../fixtures";
import { startStreamingModelServer } from "../streaming-model-server";
import { checkPage, open } from "./check-page";

const key = "sk-of-the-search-123456";

test("a person finds a conversation by what was done in it, exports it, and begins a message with a skill", async ({
  consolePage: page,
  api,
}) => {
  const server = await startStreamingModelServer({
    key,
    models: ["large-model"],
    reply: ({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? { text: "It is late." }
        : { toolCalls: [{ id: "call_1", name: "date_time", arguments: { timezone: "Europe/Lisbon" } }] },
  });
  const models = [{ name: "large-model", inputPrice: null, cachedInputPrice: null, outputPrice: null }];
  const body = { name: "Search lab", kind: "openai_compatible" as const, baseUrl: server.url, key, models };
  const { id: providerId } = await api.admin.call(modelEndpoints.create, { body });
  const text = "---\nname: tide-tables\ndescription: Reads tables of tides.\n---\nRead the table.";
  await api.admin.call(skillEndpoints.install, { body: { source: { type: "text", text } } });
  try {
    await open(page, "/chat");
    const field = page.getByRole("textbox", { name: /^Message to/ });
    await field.fill("What time is it there?");
    await field.press("Enter");
    await expect(page.getByText("It is late.")).toBeVisible();

    await page.getByRole("searchbox", { name: "Search conversations" }).fill("lisbon");
    const list = page.getByRole("list", { name: "Conversations" });
    await expect(list.getByText("Call of date_time:")).toBeVisible();
    await checkPage(page, "the search of chats");

    await list.getByRole("button", { name: "Actions for What time is it there?" }).click();
    const downloaded = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export as Markdown" }).click();
    const exported = await readFile(await (await downloaded).path(), "utf8");
    expect(exported).toContain("# What time is it there?");
    expect(exported).toContain("### Call of date_time");

    await field.fill("/tide");
    const option = page.getByRole("listbox", { name: "Skills" }).getByRole("option").first();
    await expect(option).toHaveAttribute("aria-selected", "true");
    await expect(field).toHaveAttribute("aria-activedescendant", (await option.getAttribute("id")) ?? "");
    await checkPage(page, "the skills of a message");
    await field.press("Escape");
    await expect(option).toBeHidden();
    await field.fill("/ti");
    await expect(option).toBeVisible();
    await field.press("Enter");
    await expect(field).toHaveValue('Use the "tide-tables" skill: ');
    await field.fill("/no-such-skill");
    await expect(page.getByText("No skill of this agent fits.")).toBeVisible();
  } finally {
    await api.admin.call(modelEndpoints.remove, { params: { id: providerId } });
    await server.close();
  }
});

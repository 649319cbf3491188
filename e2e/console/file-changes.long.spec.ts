import { fileChangeEndpoints } from "@/contracts/turns/file-changes";
import { expect, test } from "../fixtures";
import { checkPage } from "./check-page";
import { submitTurn, submitTurnIn } from "./submit-requests";

test("a person sees what a turn changed, restores a file, and undoes the restore", async ({ consolePage: page, api }) => {
  const first = await submitTurn(api.agent, [{ name: "write_file", arguments: { path: "notes.md", content: "# Notes\n\none\n" } }]);
  const edit = { name: "edit_file", arguments: { path: "notes.md", oldText: "one", newText: "two" } };
  const second = await submitTurnIn(api.agent, first.conversationId, [edit]);
  await page.goto(`/turns/${second.id}`);

  const section = page.getByRole("region", { name: "Changed files" });
  const rows = section.getByRole("list", { name: "Changed files" }).getByRole("listitem");
  await expect(rows).toHaveCount(1);
  await section.getByRole("button", { name: "Show change of notes.md" }).click();
  await expect(section.getByRole("group", { name: "Change of notes.md" })).toContainText("removed: one");
  await expect(section.getByText("The file is as this change left it.")).toBeVisible();
  await checkPage(page, "a turn with changed files");

  await section.getByRole("button", { name: "Restore notes.md as it was before" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore notes.md?" });
  await expect(dialog.getByRole("group", { name: "The restore makes these changes" })).toContainText("removed: two");
  await checkPage(page, "the question before a restore");
  await dialog.getByRole("button", { name: "Restore file" }).click();
  await expect(section.getByRole("status")).toContainText("Restored notes.md as it was before this change");
  await section.getByRole("button", { name: "Undo" }).click();
  await expect(section.getByRole("status")).toContainText("Restored notes.md as it was before this change");

  await section.getByText("Whole conversation").click();
  await expect(rows).toHaveCount(4);
  const { items } = await api.agent.call(fileChangeEndpoints.list, { params: { id: first.conversationId } });
  expect(items.map(({ kind, restores }) => [kind, restores !== null])).toEqual([
    ["changed", true],
    ["changed", true],
    ["changed", false],
    ["created", false],
  ]);
});

test("a restore of a file that was changed since says so, and does it only when asked to", async ({ consolePage: page, api }) => {
  const first = await submitTurn(api.agent, [{ name: "write_file", arguments: { path: "a.txt", content: "one\n" } }]);
  await submitTurnIn(api.agent, first.conversationId, [{ name: "write_file", arguments: { path: "a.txt", content: "two\n" } }]);
  await page.goto(`/turns/${first.id}`);
  const section = page.getByRole("region", { name: "Changed files" });
  await section.getByRole("button", { name: "Restore a.txt as it was before" }).click();
  const dialog = page.getByRole("dialog", { name: "Restore a.txt?" });
  await expect(dialog).toContainText("The file was changed since, and those changes are undone, too.");
  await dialog.getByRole("button", { name: "Delete file" }).click();
  await expect(section.getByRole("status")).toContainText("Deleted a.txt, because it did not exist before this change.");
});

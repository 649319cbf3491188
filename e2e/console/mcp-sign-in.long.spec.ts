import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { mcpServerEndpoints } from "@/contracts/mcp/mcp-servers";
import { expect, test } from "../fixtures";
import { startOAuthServers } from "../oauth-servers";
import { checkPage, open } from "./check-page";
import { submitTurnIn } from "./submit-requests";

test("an admin clicks Connect, allows access at the authorization server, calls a tool, widens the scope and disconnects", async ({
  consolePage: page,
  api,
}) => {
  const oauth = await startOAuthServers();
  const { id } = await api.admin.call(mcpServerEndpoints.create, {
    body: { alias: "e2e-notes", transport: "streamable_http", url: oauth.url, trustHints: true },
  });
  try {
    await open(page, "/mcp-servers");
    const row = page.getByRole("listitem").filter({ hasText: "e2e-notes" });
    await expect(row.getByText("Needs sign-in")).toBeVisible({ timeout: 30_000 });
    await checkPage(page, "a server that needs a sign-in");
    await row.getByRole("button", { name: "Connect e2e-notes" }).click();
    await page.getByRole("button", { name: "Allow" }).click();

    // The browser is back, at the server's details.
    const story = page.getByRole("dialog");
    await expect(story.getByRole("link", { name: "e2e-notes__read_notes" })).toBeVisible({ timeout: 30_000 });
    await expect(story.getByText("Connected", { exact: true })).toBeVisible();
    const signIn = story.getByRole("region", { name: "Sign-in" });
    await expect(signIn).toContainText("Scope: notes:read");
    await expect(page).not.toHaveURL(/signIn|code|state/);
    await checkPage(page, "a server with a sign-in");

    const { id: conversation } = await api.agent.call(conversationEndpoints.create, { body: {} });
    const names = ["e2e-notes__read_notes", "e2e-notes__write_note"];
    await submitTurnIn(
      api.agent,
      conversation,
      names.map((toolName) => ({ name: "enable_tool", arguments: { toolName } })),
    );
    const turn = await submitTurnIn(
      api.agent,
      conversation,
      names.map((name) => ({ name })),
      2,
    );
    // The second call waits until the server is connected with a wider scope.
    expect(turn.calls).toMatchObject([
      { status: "succeeded", content: expect.stringContaining("read_notes done") },
      { status: "running", content: "" },
    ]);

    await open(page, `/mcp-servers?server=${id}`);
    await expect(signIn).toContainText("A call needs the scope notes:write");
    await signIn.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).click();
    await expect(signIn).toContainText("Scope: notes:read notes:write", { timeout: 30_000 });

    await open(page, `/turns/${turn.id}`);
    const step = page.getByRole("article", { name: "e2e-notes__write_note" });
    await expect(step).toContainText("needs the scope notes:write");
    await step.getByRole("button", { name: "Done" }).click();
    await expect(step.getByRole("group", { name: "Result sent to the model" })).toContainText("write_note done");

    await open(page, `/mcp-servers?server=${id}`);
    await story.getByRole("button", { name: "Disconnect" }).click();
    await expect(story.getByText("Needs sign-in")).toBeVisible({ timeout: 30_000 });
    expect(oauth.state.revoked).toBe(1);
  } finally {
    await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
    await oauth.close();
  }
});

test("where each person signs in, a member connects on the server's page, sees who lists the tools, and disconnects", async ({
  consolePage: page,
  api,
}) => {
  const oauth = await startOAuthServers();
  const { id } = await api.admin.call(mcpServerEndpoints.create, {
    body: { alias: "e2e-people", transport: "streamable_http", url: oauth.url, trustHints: true, personalSignIn: true },
  });
  try {
    await open(page, `/mcp-servers?server=${id}`);
    const story = page.getByRole("dialog");
    const own = story.getByRole("region", { name: "Your sign-in" });
    await expect(own).toContainText("Your calls fail until you connect", { timeout: 30_000 });
    await own.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("button", { name: "Allow" }).click();

    await expect(own).toContainText("Your calls carry your own sign-in", { timeout: 30_000 });
    await expect(own).toContainText("The tools are listed with the sign-in of");
    await expect(story.getByText("Connected", { exact: true })).toBeVisible({ timeout: 30_000 });
    await checkPage(page, "a server where each person signs in");

    await own.getByRole("button", { name: "Disconnect yourself" }).click();
    await expect(own).toContainText("Your calls fail until you connect");
    await expect(story.getByText("Needs sign-in")).toBeVisible({ timeout: 30_000 });
    expect(oauth.state.revoked).toBe(1);
  } finally {
    await api.admin.call(mcpServerEndpoints.remove, { params: { id } });
    await oauth.close();
  }
});

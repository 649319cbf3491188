import { webhookEndpoints } from "@/contracts/hooks/webhooks";
import { type Callers, expect, test } from "../fixtures";
import { isSigned, startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver";
import { checkPage, open, pageOfMember } from "./check-page";

let receiver: WebhookReceiver;
test.beforeEach(async () => {
  receiver = await startWebhookReceiver();
});
test.afterEach(() => receiver.close());

async function removeWebhook(api: Callers, name: string) {
  const { items } = await api.admin.call(webhookEndpoints.list, { query: { limit: 200 } });
  const webhook = items.find((candidate) => candidate.name === name);
  if (webhook) await api.admin.call(webhookEndpoints.remove, { params: { id: webhook.id } });
}

test("an admin adds a webhook, copies its secret, sends tests, and redelivers what failed", async ({ consolePage: page, api }) => {
  const name = "Support desk";
  await removeWebhook(api, name);
  await open(page, "/webhooks");
  await page.getByRole("button", { name: "Add webhook" }).first().click();
  const drawer = page.getByRole("dialog");
  await drawer.getByRole("button", { name: "Add webhook" }).click();
  await expect(drawer.getByLabel("URL"), "what is missing is said where it is missing").toHaveAttribute("aria-invalid", "true");
  await drawer.getByRole("textbox", { name: "Name" }).fill(name);
  await drawer.getByLabel("URL").fill(receiver.url);
  await drawer.getByLabel("Approval requested").check();
  await checkPage(page, "the form of a webhook");
  await drawer.getByRole("button", { name: "Add webhook" }).click();

  const shown = page.getByRole("dialog", { name: `Secret of ${name}` });
  const secret = (await shown.getByRole("group", { name: "Secret" }).textContent())?.trim() ?? "";
  expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  await checkPage(page, "the secret of a webhook");
  await page.keyboard.press("Escape");
  await expect(shown, "Escape does not lose a secret that nobody copied").toBeVisible();
  await shown.getByRole("button", { name: "I have copied it" }).click();
  await expect(shown).toBeHidden();

  const story = page.getByRole("dialog", { name, exact: true });
  await story.getByRole("button", { name: "Send a test" }).click();
  await expect(story.getByText("Delivered", { exact: true })).toBeVisible();
  await expect(story.getByText("answered 204")).toBeVisible();
  const [received] = receiver.received;
  expect(received && isSigned(received, secret), "a receiver with this secret believes it").toBe(true);

  receiver.answerWith(500, "out of order");
  await story.getByRole("button", { name: "Send a test" }).click();
  await expect(story.getByText("It answered 500: out of order")).toBeVisible();
  await checkPage(page, "a test that failed");
  await story.getByRole("button", { name: "All its deliveries" }).click();
  await expect(story).toBeHidden();
  const log = page.getByRole("table", { name: "Deliveries" });
  await expect(log.getByRole("row")).toHaveCount(3);
  await expect(log.getByRole("row").nth(1), "why the delivery failed").toContainText("It answered 500: out of order");
  await expect(page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) })).toContainText(
    "It answered 500: out of order",
  );
  expect(await page.content(), "the page holds no secret").not.toContain(secret);

  await page.getByRole("combobox", { name: "State" }).click();
  await page.getByRole("option", { name: "Failed" }).click();
  await expect(log.getByRole("row")).toHaveCount(2);
  await log.getByRole("link").click();
  const delivery = page.getByRole("dialog");
  await expect(delivery.getByText("It answered 500: out of order")).toBeVisible();
  await expect(delivery.getByText('"event": "webhook.tested"')).toBeVisible();
  await checkPage(page, "the story of a delivery");
  receiver.answerWith(200);
  await delivery.getByRole("button", { name: "Redeliver" }).click();
  // Nobody reloads the page: it notices by itself.
  await expect(delivery.getByText("answered 200")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("No matching deliveries")).toBeVisible();

  await page.getByRole("link", { name, exact: true }).click();
  await story.getByRole("button", { name: "Rotate secret" }).click();
  await page
    .getByRole("dialog", { name: `Rotate the secret of ${name}` })
    .getByRole("button", { name: "Rotate secret" })
    .click();
  const rotated = page.getByRole("dialog", { name: `Secret of ${name}` });
  await expect(rotated.getByRole("group", { name: "Secret" })).not.toHaveText(secret);
  await rotated.getByRole("button", { name: "I have copied it" }).click();
  await story.getByRole("button", { name: "Remove" }).click();
  await page
    .getByRole("dialog", { name: `Remove ${name}` })
    .getByRole("button", { name: "Remove webhook" })
    .click();
  await expect(page.getByRole("link", { name, exact: true })).toHaveCount(0);
});

test("two people who edit one webhook do not overwrite each other", async ({ consolePage: page, api }) => {
  const name = "Shared desk";
  await removeWebhook(api, name);
  const body = { name, url: receiver.url, events: ["turn.finished" as const] };
  const webhook = await api.admin.call(webhookEndpoints.create, { body });
  await open(page, `/webhooks?webhook=${webhook.id}&edit=true`);
  await api.admin.call(webhookEndpoints.update, { params: { id: webhook.id }, body: { ...body, enabled: false } });
  const drawer = page.getByRole("dialog");
  await drawer.getByLabel("Job finished").check();
  await drawer.getByRole("button", { name: "Save" }).click();
  await expect(drawer.getByRole("alert")).toContainText("changed by somebody else");
  await expect(drawer.getByLabel("Job finished"), "what was typed stays").toBeChecked();
  await removeWebhook(api, name);
});

test("the form of a webhook takes the focus, asks before it loses words, and says each refusal", async ({ consolePage: page, api }) => {
  const name = "Typed desk";
  await removeWebhook(api, name);
  await open(page, "/webhooks");
  const add = page.getByRole("button", { name: "Add webhook" }).first();
  await add.click();
  const drawer = page.getByRole("dialog", { name: "Add a webhook" });
  const field = drawer.getByRole("textbox", { name: "Name" });
  await expect(field, "also when the form's code comes after the drawer").toBeFocused();
  await page.keyboard.type(name);
  await page.keyboard.press("Escape");
  const question = page.getByRole("dialog", { name: "Discard changes?" });
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(field).toHaveValue(name);
  await drawer.getByLabel("URL").fill(receiver.url);
  await page.route("**/api/v1/webhooks", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify(refusalOfNoField) })
      : route.fallback(),
  );
  await drawer.getByRole("button", { name: "Add webhook" }).click();
  await expect(drawer.getByRole("alert"), "a refusal that no field shows").toContainText(refusalOfNoField.detail);
  await page.unroute("**/api/v1/webhooks");
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Discard" }).click();
  await expect(drawer).toBeHidden();
  await expect(add).toBeFocused();

  const { id } = await api.admin.call(webhookEndpoints.create, { body: { name, url: receiver.url, events: ["turn.finished"] } });
  await open(page, `/webhooks?webhook=${id}`);
  await page.getByRole("dialog").getByRole("button", { name: "Edit" }).click();
  await expect(page.getByRole("dialog").getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog"), "nothing was typed, nothing is asked").toHaveCount(0);
  await removeWebhook(api, name);
});

const refusalOfNoField = {
  ...{ type: "about:blank", title: "Unprocessable Entity", status: 422, code: "invalid", requestId: "none" },
  detail: "The body is not valid: does not take `colour`",
  errors: [{ path: "", message: "does not take `colour`" }],
};

test("an admin finds the secret that callbacks of turns are signed with", async ({ consolePage: page, api }) => {
  await open(page, "/webhooks");
  await page.getByRole("button", { name: "Callback secret" }).click();
  const { secret } = await api.admin.call(webhookEndpoints.callbackSecret);
  await expect(page.getByRole("dialog").getByRole("group", { name: "Secret" })).toHaveText(secret);
  await checkPage(page, "the callback secret");
});

test("a viewer reads that webhooks are for admins", async ({ browser, productUrl, api }) => {
  const page = await pageOfMember(browser, productUrl, api, "viewer");
  await open(page, "/webhooks");
  await expect(page.getByText("Only admins see webhooks")).toBeVisible();
  await expect(page.getByRole("button", { name: "Add webhook" })).toHaveCount(0);
  await checkPage(page, "the webhooks of a viewer");
  await page.context().close();
});

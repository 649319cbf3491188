import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { guardEndpoints } from "@/contracts/guard/guard";
import { policyEndpoints } from "@/contracts/guard/policy";
import { identityEndpoints } from "@/contracts/identity/identity";
import { caller } from "../caller";
import { expect, test } from "../fixtures";
import { adminEmail, adminPassword, startProduct } from "../product";
import { checkPage, fits, open, signIn } from "./check-page";

const rules = `rules:
  - name: Look around
    tool: shell_execute
    pattern: ^(ls|cat)(\\s|$)
    verdict: allow
    priority: 500
  - name: Never the plans
    tool: write_file
    pattern: ^plans/
    verdict: deny
`;

test("the rules of the policy file stand in the console, read-only, and a file that breaks says where while its last good rules go on", async ({
  browser,
}) => {
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-policy-"));
  const file = path.join(dataDir, "policy.yaml");
  await writeFile(file, rules);
  const product = await startProduct({ dataDir, name: "policy-file", variables: { HANDRAIL_POLICY_FILE: file } });
  const context = await browser.newContext({ baseURL: product.url });
  try {
    const nobody = caller(product.url, null);
    const { token } = await nobody.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
    const admin = caller(product.url, token);
    await admin.call(guardEndpoints.createRule, { body: { name: "Ours", tool: "date_time", verdict: "allow", priority: 300 } });
    const page = await context.newPage();
    await signIn(page, adminEmail, adminPassword);
    await open(page, "/guard");
    await expect(page.getByText(/^2 rules come from policy\.yaml, read .* and are changed only there\.$/)).toBeVisible();
    const list = page.getByRole("list", { name: "Rules in the order in which they are tried" }).getByRole("listitem");
    await expect(list.nth(0)).toContainText("Policy file · Look around");
    await expect(list.nth(1)).toContainText("Ours");
    await expect(list.nth(2)).toContainText("Policy file · Never the plans");
    for (const button of ["Move Look around down", "Move Never the plans up"]) {
      await expect(page.getByRole("button", { name: button })).toBeDisabled();
    }
    await expect(page.getByRole("switch", { name: "Look around is on" })).toBeDisabled();
    await expect(page.getByRole("switch", { name: "Ours is on" })).toBeEnabled();
    await fits(page, "rules of a policy file");

    await page.getByRole("button", { name: "More for Look around" }).click();
    await expect(page.getByRole("menuitem", { name: "Remove" })).toBeDisabled();
    await page.getByRole("menuitem", { name: "View" }).click();
    const editor = page.getByRole("dialog");
    await expect(editor.getByRole("button", { name: "Save" })).toBeDisabled();
    await expect(editor.getByRole("note", { name: /comes from the policy file/ })).toBeVisible();
    await checkPage(page, "a rule of the policy file");
    await editor.getByRole("button", { name: "Close" }).last().click();

    await writeFile(file, rules.replace("verdict: deny", "verdict: perhaps"));
    const note = page.getByRole("alert").filter({ hasText: "The policy file cannot be used" });
    const evaluate = () =>
      admin.call(guardEndpoints.evaluate, { body: { tool: "write_file", arguments: { path: "plans/a", content: "x" } } });
    await expect.poll(async () => (await admin.call(policyEndpoints.getFile)).file?.mistake?.line ?? null).toBe(10);
    await open(page, "/guard");
    await expect(note).toContainText(/policy\.yaml, line 10, column \d+: /);
    await expect(note).toContainText("its last good 2 rules go on");
    expect((await evaluate()).verdict, "what was good holds").toBe("deny");
    await checkPage(page, "a policy file that cannot be used");

    await writeFile(file, rules.replace("verdict: deny", "verdict: allow"));
    await expect.poll(async () => (await evaluate()).verdict).toBe("allow");
    await open(page, "/guard");
    await expect(note).toHaveCount(0);
  } finally {
    await context.close();
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

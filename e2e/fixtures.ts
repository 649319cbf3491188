import { randomUUID } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { guardEndpoints } from "@/contracts/guard/guard";
import { identityEndpoints } from "@/contracts/identity/identity";
import type { Permission, Role } from "@/contracts/permissions";
import { type Caller, caller, readProblem } from "./caller";
import { consoleBrowser } from "./console-browser";
import { openEmpty } from "./open-empty";
import { type SessionCookies, sessionOf } from "./session-of";
import { makeWorkspace, type Workspace } from "./workspaces";

export { expect, readProblem };

/** Everybody who talks to the API, by what they may do. */
export type Callers = {
  nobody: Caller;
  /** The key of the default agent: `turns:write` and `tools:read`. */
  agent: Caller;
  /** The owner of the workspace. */
  admin: Caller;
  approver: Caller;
  viewer: Caller;
  /** An API key that may do everything, in another workspace. */
  stranger: Caller;
  /** A new API key with exactly these scopes. */
  withKey: (...scopes: Permission[]) => Promise<Caller>;
};

export const test = base.extend<
  { consolePage: Page },
  { productUrl: string; workspace: Workspace; api: Callers; adminSession: SessionCookies; adminContext: BrowserContext; adminPage: Page }
>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
  productUrl: [async ({}, use) => use(variable("HANDRAIL_E2E_URL")), { scope: "worker" }],
  baseURL: async ({ productUrl }, use) => use(productUrl),

  /** One for each worker, because workers share a product: what one makes and forbids, the others do not see. */
  workspace: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
    async ({}, use) => use(await makeWorkspace(variable("HANDRAIL_E2E_DATA_DIR"))),
    { scope: "worker" },
  ],

  api: [
    async ({ productUrl, workspace }, use) => {
      const nobody = caller(productUrl, null);
      const signIn = async (email: string, password: string) =>
        caller(productUrl, (await nobody.call(identityEndpoints.token, { body: { email, password } })).token);
      const admin = await signIn(workspace.owner.email, workspace.owner.password);
      const member = async (role: Role) => {
        const person = { email: `${role}-${randomUUID()}@example.com`, password: randomUUID() };
        await admin.call(identityEndpoints.createUser, { body: { ...person, name: `The ${role}`, role } });
        return signIn(person.email, person.password);
      };
      await use({
        nobody,
        agent: caller(productUrl, workspace.agentKey),
        admin,
        approver: await member("approver"),
        viewer: await member("viewer"),
        stranger: caller(productUrl, variable("HANDRAIL_E2E_STRANGER_KEY")),
        async withKey(...scopes) {
          const { key } = await admin.call(identityEndpoints.createApiKey, { body: { name: `e2e ${scopes.join(" ")}`, scopes } });
          return caller(productUrl, key);
        },
      });
    },
    { scope: "worker" },
  ],

  adminSession: [async ({ productUrl, workspace }, use) => use(await sessionOf(productUrl, workspace.owner)), { scope: "worker" }],

  /** The admin's browser: what it has loaded and compiled for one journey need not be for the next. */
  adminContext: [
    async ({ browser, productUrl, adminSession }, use) => {
      const context = await browser.newContext({ ...consoleBrowser, baseURL: productUrl, storageState: adminSession });
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],

  /** One for all journeys of a worker, because a load in a new page takes twice the processor time. */
  adminPage: [
    async ({ adminContext }, use) => {
      const page = await adminContext.newPage();
      // A journey may leave a form that it has not sent.
      page.on("dialog", (dialog) => dialog.accept());
      await use(page);
    },
    { scope: "worker" },
  ],

  /** A page of the console, signed in as the admin, that remembers nothing of the journeys before. */
  consolePage: async ({ adminContext, adminPage }, use) => {
    await openEmpty(adminPage);
    await adminPage.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
    await use(adminPage);
    // A handler may still be at an answer that nobody waits for.
    for (const routed of [adminContext, adminPage]) await routed.unrouteAll({ behavior: "ignoreErrors" });
    await adminContext.clearPermissions();
    for (const event of ["request", "response", "console", "pageerror"]) adminPage.removeAllListeners(event);
    await adminPage.setViewportSize(consoleBrowser.viewport);
    await adminPage.emulateMedia({ colorScheme: "light" });
    for (const other of adminContext.pages()) if (other !== adminPage) await other.close();
    await openEmpty(adminPage);
  },
});

/** While the tests of this file run, a rule asks a person before each call of these tools, which pass by default in the sandbox. */
export function askBefore(...tools: string[]): void {
  const rules: string[] = [];
  test.beforeAll(async ({ api }) => {
    for (const tool of tools) {
      const body = { name: `${tool} asks`, tool, verdict: "require_approval" as const, priority: 1 };
      rules.push((await api.admin.call(guardEndpoints.createRule, { body })).id);
    }
  });
  test.afterAll(async ({ api }) => {
    for (const id of rules) await api.admin.call(guardEndpoints.removeRule, { params: { id } });
  });
}

export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; the specs are started by npm run test:e2e`);
  return value;
}

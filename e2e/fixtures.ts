import { randomUUID } from "node:crypto";
import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity";
import type { Permission, Role } from "@/contracts/permissions";
import { type Caller, caller, problemOf } from "./caller";
import { consoleBrowser } from "./console-browser";
import { adminEmail, adminPassword } from "./product";

export { expect, problemOf };

/** Everybody who talks to the API, by what they may do. */
export type Callers = {
  nobody: Caller;
  /** The agent key that the first start printed: `turns:write` and `tools:read`. */
  agent: Caller;
  admin: Caller;
  approver: Caller;
  viewer: Caller;
  /** An API key that may do everything, in another workspace. */
  stranger: Caller;
  /** A new API key with exactly these scopes. */
  withKey: (...scopes: Permission[]) => Promise<Caller>;
};

type SessionCookies = Awaited<ReturnType<import("@playwright/test").APIRequestContext["storageState"]>>;

export const test = base.extend<
  { consolePage: Page },
  { productUrl: string; api: Callers; adminSession: SessionCookies; adminContext: BrowserContext }
>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures are needed
  productUrl: [async ({}, use) => use(variable("HANDRAIL_E2E_URL")), { scope: "worker" }],
  baseURL: async ({ productUrl }, use) => use(productUrl),

  api: [
    async ({ productUrl }, use) => {
      const nobody = caller(productUrl, null);
      const signIn = async (email: string, password: string) =>
        caller(productUrl, (await nobody.call(identityEndpoints.token, { body: { email, password } })).token);
      const admin = await signIn(adminEmail, adminPassword);
      const member = async (role: Role) => {
        const person = { email: `${role}-${randomUUID()}@example.com`, password: randomUUID() };
        await admin.call(identityEndpoints.createUser, { body: { ...person, name: `The ${role}`, role } });
        return signIn(person.email, person.password);
      };
      await use({
        nobody,
        agent: caller(productUrl, variable("HANDRAIL_E2E_AGENT_KEY")),
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

  adminSession: [
    async ({ playwright, productUrl }, use) => {
      const request = await playwright.request.newContext({ baseURL: productUrl, extraHTTPHeaders: { origin: productUrl } });
      const { csrfToken } = await (await request.get("/api/auth/csrf")).json();
      await request.post("/api/auth/callback/credentials", {
        form: { csrfToken, email: adminEmail, password: adminPassword, callbackUrl: productUrl, json: "true" },
      });
      const session = await request.storageState();
      await request.dispose();
      expect(session.cookies.map(({ name }) => name).join(" "), "the session cookie of the admin").toMatch(/session/);
      await use(session);
    },
    { scope: "worker" },
  ],

  /** The admin's browser: what it has loaded and compiled for one journey need not be for the next. */
  adminContext: [
    async ({ browser, productUrl, adminSession }, use) => {
      const context = await browser.newContext({ ...consoleBrowser, baseURL: productUrl, storageState: adminSession });
      await use(context);
      await context.close();
    },
    { scope: "worker" },
  ],

  /** A page of the console, signed in as the admin, that remembers nothing of the journeys before. */
  consolePage: async ({ adminContext, productUrl }, use) => {
    const page = await adminContext.newPage();
    const devtools = await adminContext.newCDPSession(page);
    await devtools.send("Storage.clearDataForOrigin", { origin: productUrl, storageTypes: "local_storage" });
    await use(page);
    await adminContext.unrouteAll();
    await adminContext.clearPermissions();
    for (const open of adminContext.pages()) await open.close();
  },
});

export function variable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; the specs are started by npm run test:e2e`);
  return value;
}

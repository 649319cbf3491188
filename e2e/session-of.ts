import { type APIRequestContext, expect, request } from "@playwright/test";

export type SessionCookies = Awaited<ReturnType<APIRequestContext["storageState"]>>;

/** Signs a person in as the form does, without a page. */
export async function sessionOf(productUrl: string, { email, password }: { email: string; password: string }): Promise<SessionCookies> {
  const browser = await request.newContext({ baseURL: productUrl, extraHTTPHeaders: { origin: productUrl } });
  const { csrfToken } = await (await browser.get("/api/auth/csrf")).json();
  await browser.post("/api/auth/callback/credentials", { form: { csrfToken, email, password, callbackUrl: productUrl, json: "true" } });
  const session = await browser.storageState();
  await browser.dispose();
  expect(session.cookies.map(({ name }) => name).join(" "), `the session cookie of ${email}`).toMatch(/session/);
  return session;
}

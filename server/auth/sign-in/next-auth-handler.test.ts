import { expect, test } from "vitest";
import { nextAuthHandler } from "./next-auth-handler";

test("a sign-in that is larger than any form, or does not say how large it is, is not read", async () => {
  const context = { params: Promise.resolve({ nextauth: ["callback", "credentials"] }) };
  const send = (headers: Record<string, string>) =>
    nextAuthHandler(new Request("http://handrail.test/api/auth/callback/credentials", { method: "POST", body: "a=1", headers }), context);
  expect((await send({ "content-length": "10000000" })).status).toBe(413);
  expect((await send({})).status).toBe(413);
});

import { mkdtempSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity/identity";
import { modelEndpoints } from "@/contracts/models/models";
import { doctorEndpoints } from "@/contracts/operations/doctor";
import { caller } from "../caller";
import { adminEmail, adminPassword, type Product, startProduct } from "../product";

let dataDir = "";
let product: Product;

test.beforeAll(() => {
  test.setTimeout(300_000);
  dataDir = mkdtempSync(path.join(tmpdir(), "handrail-secret-key-"));
});
test.afterAll(async () => {
  await product?.stop().catch(() => {});
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
});

async function start(variables: Record<string, string> = {}) {
  product = await startProduct({ dataDir, name: "secret-key", variables });
  const { token } = await caller(product.url, null).call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
  return caller(product.url, token);
}

const keyState = async (admin: ReturnType<typeof caller>) =>
  (await admin.call(doctorEndpoints.get)).items.find(({ name }) => name === "Secret key");

const provider = (name: string) => ({
  name,
  kind: "openai_compatible" as const,
  baseUrl: "http://127.0.0.1:9/v1",
  key: "sk-1234567890abcdef",
});

test("a lost or wrong secret key is said at the start, seals nothing, and loses nothing", async () => {
  test.setTimeout(300_000);
  const kept = await start();
  await kept.call(modelEndpoints.create, { body: provider("local") });
  expect(await keyState(kept)).toMatchObject({ status: "ok" });
  await product.stop();

  // Lost: no new key is made beside sealed secrets, at the second start neither.
  const file = path.join(dataDir, "secret-key");
  await rename(file, `${file}.backup`);
  for (const _ of [1, 2]) {
    await expect(startProduct({ dataDir, name: "secret-key-lost" })).rejects.toThrow(
      /the file secret-key is missing\. 1 stored secret \(model providers: 1\) cannot be opened.*HANDRAIL_ACCEPT_LOST_SECRETS=true/,
    );
  }

  // Wrong: the product runs, says so, and stores no secret that the right key could not open.
  const wrong = { HANDRAIL_SECRET_KEY: "another key of thirty-two characters or more" };
  const locked = await start(wrong);
  expect(product.printed()).toContain("1 stored secret (model providers: 1) cannot be opened with this secret key");
  expect(await keyState(locked)).toMatchObject({ status: "failed", wayOut: expect.stringContaining("HANDRAIL_SECRET_KEY") });
  expect(await locked.refusal(modelEndpoints.create, { body: provider("second") })).toMatchObject({ code: "unavailable" });
  await product.stop();

  // The right key is back, and everything with it.
  await rename(`${file}.backup`, file);
  const back = await start();
  expect(await keyState(back)).toMatchObject({ status: "ok" });
  expect((await back.call(modelEndpoints.list)).items).toMatchObject([{ name: "local", maskedKey: "••••cdef" }]);
  await product.stop();

  // Lost for good: accepted once, and the new key seals from then on.
  const accepted = await start({ ...wrong, HANDRAIL_ACCEPT_LOST_SECRETS: "true" });
  expect(product.printed()).toContain("this key seals from now on");
  expect(await keyState(accepted)).toMatchObject({ status: "failed", wayOut: "Enter these secrets again." });
  await accepted.call(modelEndpoints.create, { body: provider("second") });
});

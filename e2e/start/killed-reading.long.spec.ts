import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { identityEndpoints } from "@/contracts/identity/identity";
import { knowledgeEndpoints } from "@/contracts/knowledge/knowledge";
import { type Caller, caller } from "../caller";
import { pagedPdf } from "../document-files";
import { adminEmail, adminPassword, type Product, startProduct } from "../product";

const pageCount = 900;
const pages = Array.from({ length: pageCount }, (_, at) => `Page ${at + 1} of the manual.\nIt names the part number${at + 1}.`);

async function adminOf({ url }: Pick<Product, "url">): Promise<Caller> {
  const { token } = await caller(url, null).call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
  return caller(url, token);
}

test("kill -9 in the middle of a source: the next start reads on behind the last stored page, and no page twice", async () => {
  test.setTimeout(300_000);
  const dataDir = await mkdtemp(path.join(tmpdir(), "handrail-reading-"));
  try {
    const first = await startProduct({ dataDir, name: "reading" });
    const before = await adminOf(first);
    const base = await before.call(knowledgeEndpoints.create, { body: { name: "Manuals" } });
    const added = await before.fetch(`/api/v1/knowledge-bases/${base.id}/sources?name=manual.pdf`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: Buffer.from(pagedPdf(pages)),
    });
    const { id } = (await added.json()) as { id: string };
    await expect
      .poll(async () => (await before.call(knowledgeEndpoints.getSource, { params: { id } })).pagesRead ?? 0, {
        timeout: 60_000,
        intervals: [50],
      })
      .toBeGreaterThan(0);
    const atKill = await before.call(knowledgeEndpoints.getSource, { params: { id } });
    expect(atKill.state).toBe("processing");
    await first.kill();

    const second = await startProduct({ dataDir, name: "reading", port: Number(new URL(first.url).port) });
    try {
      const after = await adminOf(second);
      const source = () => after.call(knowledgeEndpoints.getSource, { params: { id } });
      expect((await source()).pagesRead).toBeGreaterThanOrEqual(atKill.pagesRead ?? 0);
      await expect.poll(async () => (await source()).state, { timeout: 180_000 }).toBe("completed");
      expect(await source()).toMatchObject({ pagesRead: pageCount, partCount: pageCount, chunkCount: pageCount, revision: 1 });
      const last = await after.call(knowledgeEndpoints.search, { params: { id: base.id }, query: { query: `number${pageCount}` } });
      expect(last.items[0]).toMatchObject({ title: "manual.pdf", page: pageCount });
    } finally {
      await second.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { turnEndpoints } from "@/contracts/turns/turns";
import { type FilesSite, listed, startFilesSite } from "../files-site";
import { type Callers, expect, test } from "../fixtures";
import { invoicePdf } from "../invoice-mail";

const invoice = invoicePdf(["Invoice 2026-0417: 14,980.35 EUR"]);
/** Characters of one result, which every step on a long page must keep. */
const maxChars = 12_000;

let site: FilesSite;
let allowedHosts: string[] = [];
test.beforeAll(async ({ api }) => {
  site = await startFilesSite({ name: "invoice 7.pdf", type: "application/pdf", bytes: invoice });
  ({ allowedHosts } = await api.admin.call(guardEndpoints.getConfig, {}));
  await api.admin.call(guardEndpoints.updateConfig, { body: { allowedHosts: [...allowedHosts, site.host] } });
});
test.afterAll(async ({ api }) => {
  await api.admin.call(guardEndpoints.updateConfig, { body: { allowedHosts } });
  site.close();
});

/** An agent's conversation with the browser and the tools for documents; `use` answers the text of a call that succeeds. */
async function startConversation(api: Callers) {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const call = async (name: string, args: Record<string, string | string[]>) => {
    const body = { calls: [{ id: "1", name, arguments: args }] };
    const [made] = (await api.agent.call(turnEndpoints.submit, { params: { id }, body })).calls;
    if (!made) throw new Error("The turn has no call");
    return made;
  };
  const use = async (name: string, args: Record<string, string | string[]>): Promise<string> => {
    const { status, content } = await call(name, args);
    expect(status, `${name} ${JSON.stringify(args)}: ${content}`).toBe("succeeded");
    return content ?? "";
  };
  for (const toolName of ["browser_use", "extract_document"]) await use("enable_tool", { toolName });
  return { call, use, browse: (args: Record<string, string | string[]>) => use("browser_use", args) };
}

/** Returns the reference of the line with the words in a snapshot. */
function refOf(snapshot: string, words: string): string {
  const line = snapshot.split("\n").find((each) => each.includes(words) && each.includes("[@"));
  return /\[(@\w+)\]/.exec(line ?? "")?.[1] ?? "";
}

test("an agent uploads files of its folder at once, and the site receives their bytes", async ({ api }) => {
  const { use, browse, call } = await startConversation(api);
  await use("write_file", { path: "papers/positions.csv", content: "position,amount\n1,540.00\n" });
  await use("write_file", { path: "papers/märz.md", content: "# März\n" });
  const form = await browse({ action: "open", url: site.url("/form") });
  const pageUrl = site.url("/form");
  const path = ["papers/positions.csv", "papers/märz.md"];
  const uploaded = await browse({ action: "upload", ref: refOf(form, '"Papers"'), path, pageUrl });
  expect(uploaded).toContain("Put positions.csv (25 bytes), märz.md (8 bytes) into");
  expect(await browse({ action: "click", ref: refOf(uploaded, '"Send"'), pageUrl })).toContain("Received positions.csv and märz.md.");
  const texts = site.received.at(-1)?.map(({ name, type, bytes }) => [name, type, Buffer.from(bytes).toString()]);
  expect(texts).toEqual([
    ["positions.csv", "text/csv", "position,amount\n1,540.00\n"],
    ["märz.md", "text/markdown", "# März\n"],
  ]);
  const escaped = await call("browser_use", { action: "upload", selector: "input", path: "../../../etc/passwd", pageUrl });
  expect(escaped.status).not.toBe("succeeded");
  expect(site.received, "nothing else has reached the site").toHaveLength(1);
});

test("an agent downloads files by the browser and by url_fetch, and reads them by the paths that the results name", async ({ api }) => {
  const { use, call, browse } = await startConversation(api);
  const links = await browse({ action: "open", url: site.url("/links") });
  const clicked = await browse({ action: "click", ref: refOf(links, '"Export"'), pageUrl: site.url("/links") });
  expect(clicked).toContain('Saved the download as "downloads/invoice 7.pdf".');
  expect(await use("extract_document", { path: "downloads/invoice 7.pdf" })).toContain("Invoice 2026-0417: 14,980.35 EUR");

  const fetched = await use("url_fetch", { url: site.url("/export?id=7") });
  const [, path = ""] = /Saved to (.+\.pdf)\./.exec(fetched) ?? [];
  expect(path).toBe("downloads/invoice 7 (2).pdf");
  expect(await use("extract_document", { path })).toContain("14,980.35 EUR");

  const missing = await call("url_fetch", { url: site.url("/gone.pdf"), downloadPath: "gone.pdf" });
  expect(missing).toMatchObject({ status: "failed", structuredContent: { saved: false } });
  expect(missing.content).toContain("Nothing was saved: the status is 404.");
  expect(missing.structuredContent).not.toHaveProperty("path");
});

test("an agent scrolls an endless list to its end, and each result is short", async ({ api }) => {
  const { browse } = await startConversation(api);
  const seen = new Set<number>();
  const read = (text: string) => {
    expect(text.length).toBeLessThan(maxChars);
    for (const [, number] of text.matchAll(/Item (\d+) of the list/g)) seen.add(Number(number));
    return text;
  };
  let shown = read(await browse({ action: "open", url: site.url("/list") }));
  expect(seen.has(listed)).toBe(false);
  for (let steps = 0; steps < 20 && (!/This is the end/.test(shown) || shown.includes("[cut:")); steps++)
    shown = read(await browse({ action: "scroll" }));
  expect(shown).toContain("This is the end: nothing more is below.");
  expect([...seen].sort((one, other) => one - other)).toEqual(Array.from({ length: listed }, (_none, at) => at + 1));
});

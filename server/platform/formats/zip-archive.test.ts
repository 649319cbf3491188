import { strToU8, zipSync } from "fflate";
import { expect, test } from "vitest";
import { openZipArchive } from "./zip-archive";

const open = (files: Record<string, Uint8Array>, maxEntries = 10) => openZipArchive("all.zip", zipSync(files), { maxEntries });

test("an archive is listed as it declares itself, and each file is read by its entry", async () => {
  const zip = await open({ "docs/a.md": strToU8("First"), "docs/": new Uint8Array() });
  expect(zip.entries).toMatchObject([{ path: "docs/a.md", bytes: 5, isLink: false, isEncrypted: false }]);
  zip.assertSafe(zip.entries, { bytes: 5 });
  const [entry] = zip.entries;
  expect(entry && Buffer.from(await zip.read(entry)).toString()).toBe("First");
});

test("names without a flag are UTF-8, or GBK as Chinese systems write them", async () => {
  const bytes = Buffer.from(zipSync({ "AAAA.md": strToU8("x") }));
  const gbk = Buffer.from([0xcb, 0xb5, 0xc3, 0xf7]);
  for (let at = bytes.indexOf("AAAA"); at >= 0; at = bytes.indexOf("AAAA", at + 1)) gbk.copy(bytes, at);
  expect((await openZipArchive("all.zip", bytes, { maxEntries: 1 })).entries[0]?.path).toBe("说明.md");
});

test.each<[string, () => Promise<unknown>, string]>([
  ["bytes that are no archive", () => openZipArchive("all.zip", strToU8("no zip"), { maxEntries: 1 }), "all.zip cannot be opened"],
  ["a name that leads out", () => open({ "../a.md": strToU8("x") }), "all.zip is not a safe zip"],
  ["an absolute name", () => open({ "/etc/a.md": strToU8("x") }), "all.zip is not a safe zip"],
  ["a name that leads out by backslashes", () => open({ "..\\a.md": strToU8("x") }), "all.zip is not a safe zip"],
  ["more files than wanted", () => open({ a: strToU8("x"), b: strToU8("x") }, 1), "all.zip has more than 1 files"],
])("%s: refused with a sentence", async (_what, opening, sentence) => {
  await expect(opening()).rejects.toThrow(sentence);
});

test("nothing of a bomb or of too much is decompressed", async () => {
  const bomb = await open({ zeros: new Uint8Array(30_000_000) });
  expect(() => bomb.assertSafe(bomb.entries, { bytes: 1e9 })).toThrow("as an archive bomb does");
  const large = await open({ a: crypto.getRandomValues(new Uint8Array(60_000)) });
  expect(() => large.assertSafe(large.entries, { bytes: 50_000 })).toThrow("all.zip unpacks to more than");
});

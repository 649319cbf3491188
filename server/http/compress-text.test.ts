import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { compressText, encodingFor } from "./compress-text";

const long = JSON.stringify(Array.from({ length: 100 }, (_, place) => ({ id: place, tool: "shell_execute", summary: "git push origin" })));

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip", "gzip"],
  ["GZIP;q=0.5", "gzip"],
  ["br;q=0, gzip;q=1.0", "gzip"],
  ["br;q=0.0, gzip; q=0", null],
  ["identity", null],
  ["*", null],
  [undefined, null],
])("of %s the best is taken", (header, encoding) => {
  expect(encodingFor({ method: "GET", headers: header ? { "accept-encoding": header } : {} }, long)).toBe(encoding);
});

test("a short answer and the headers of an answer are sent as they are", () => {
  expect(encodingFor({ method: "GET", headers: { "accept-encoding": "br" } }, '{"a":1}')).toBeNull();
  expect(encodingFor({ method: "HEAD", headers: { "accept-encoding": "br" } }, long)).toBeNull();
});

test("a compressed text is the same text, and a list is far shorter", async () => {
  const text = `${long} \u00fc\u{1f600}`;
  expect(gunzipSync(await compressText(text, "gzip")).toString()).toBe(text);
  expect(brotliDecompressSync(await compressText(text, "br")).toString()).toBe(text);
  expect((await compressText(text, "br")).byteLength).toBeLessThan(text.length / 5);
});

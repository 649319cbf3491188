import { expect, test } from "vitest";
import { attachment } from "./attachment";

const headersOf = (name: string, mediaType = "text/plain") => attachment(new Blob(["x"]).stream(), { name, mediaType, bytes: 1 }).headers;

test("a file is saved and never shown, whatever it holds", () => {
  const headers = headersOf("page.html", "text/html");
  expect(headers.get("content-disposition")).toMatch(/^attachment;/);
  expect(headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toContain("no-store");
  expect(headers.get("content-length")).toBe("1");
});

test.each([
  ["report.pdf", `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ["naïve plan (1).txt", `attachment; filename="na_ve plan _1_.txt"; filename*=UTF-8''na%C3%AFve%20plan%20%281%29.txt`],
  ["報告.txt", `attachment; filename="__.txt"; filename*=UTF-8''%E5%A0%B1%E5%91%8A.txt`],
  ['a"; filename="evil.exe', `attachment; filename="a__ filename__evil.exe"; filename*=UTF-8''a%22%3B%20filename%3D%22evil.exe`],
  ["a\r\nset-cookie: x=1", `attachment; filename="a__set-cookie_ x_1"; filename*=UTF-8''a%0D%0Aset-cookie%3A%20x%3D1`],
  ["../../etc/passwd", `attachment; filename=".._.._etc_passwd"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`],
  ["", `attachment; filename="artifact"; filename*=UTF-8''`],
])("the name %j is carried safely", (name, expected) => {
  expect(headersOf(name).get("content-disposition")).toBe(expected);
});

test("a name that is too long is cut, even inside of a character", () => {
  expect(headersOf(`x${"😀".repeat(200)}`).get("content-disposition")).toContain("filename*=UTF-8''x%F0%9F%98%80");
});

test.each([
  ["image/png", "image/png"],
  ["text/plain; charset=utf-8", "text/plain; charset=utf-8"],
  ["application/vnd.api+json", "application/vnd.api+json"],
  ["text/html\r\nx: y", "application/octet-stream"],
  ["nonsense", "application/octet-stream"],
  ["", "application/octet-stream"],
])("the media type %j is answered as %s", (mediaType, expected) => {
  expect(headersOf("a", mediaType).get("content-type")).toBe(expected);
});

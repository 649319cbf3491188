import type { CallToolResult } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { isRichResult } from "@/server/tools/define-tool";
import { readAnswer } from "./read-answer";

function read(answer: Partial<CallToolResult>) {
  const result = readAnswer({ content: [], ...answer });
  return isRichResult(result)
    ? { text: result.text, isError: result.isError, structured: result.structuredContent, files: result.files }
    : result;
}

test("the texts of an answer are what the model reads, a line after the other", () => {
  expect(
    read({
      content: [
        { type: "text", text: "one" },
        { type: "text", text: "two" },
      ],
    }),
  ).toMatchObject({ text: "one\ntwo" });
});

test("an answer without content says so", () => {
  expect(read({})).toBe("(tool returned no content)");
});

test("an in-band error stays an error with its words", () => {
  expect(read({ isError: true, content: [{ type: "text", text: "No such file" }] })).toMatchObject({ isError: true, text: "No such file" });
});

test("structured content is kept, and stands in for a text that is missing", () => {
  expect(read({ structuredContent: { temperature: 3 } })).toMatchObject({ structured: { temperature: 3 }, text: '{"temperature":3}' });
});

test("an image becomes a file, and the model is told that it is there", () => {
  const data = Buffer.from("not really a picture").toString("base64");
  const result = read({ content: [{ type: "image", data, mimeType: "image/png" }] });
  expect(result).toMatchObject({ text: "[1-image.png: image/png, 20 bytes]", files: [{ name: "1-image.png", mediaType: "image/png" }] });
});

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a picture's line says how large it is and what looking at it costs", () => {
  const result = read({ content: [{ type: "image", data: pixel, mimeType: "image/png" }] });
  expect(result).toMatchObject({ text: "[1-image.png: image/png, 70 bytes, 1 x 1 pixels, about 1 tokens]" });
});

test("bytes whose type nobody declared are known by their content", () => {
  const resource = (blob: string) => ({ type: "resource", resource: { uri: "report://latest", blob } }) as const;
  const result = read({ content: [resource(pixel), resource(Buffer.from("%PDF-1.7").toString("base64"))] });
  expect(result).toMatchObject({
    files: [
      { name: "1-latest.png", mediaType: "image/png" },
      { name: "2-latest.pdf", mediaType: "application/pdf" },
    ],
  });
});

test("sound becomes a file with a line of its own beside the text", () => {
  const data = Buffer.from("not really a sound").toString("base64");
  const result = read({
    content: [
      { type: "text", text: "Listen:" },
      { type: "audio", data, mimeType: "audio/wav" },
    ],
  });
  expect(result).toMatchObject({ text: "Listen:\n[1-audio.wav: audio/wav, 18 bytes]", files: [{ mediaType: "audio/wav" }] });
});

test("a resource's bytes become a file whose name cannot leave its folder", () => {
  const resource = { uri: "file:///srv/../../etc/pass wd", blob: "AAAA", mimeType: "text/html; <script>" };
  const result = read({ content: [{ type: "resource", resource }] });
  expect(result).toMatchObject({ files: [{ name: "1-pass_wd.bin", mediaType: "application/octet-stream" }] });
});

test("a link to a resource is a line of text", () => {
  const link = { type: "resource_link", uri: "file:///a.txt", name: "a.txt", description: "The file" } as const;
  expect(read({ content: [link] })).toMatchObject({ text: "a.txt: file:///a.txt - The file - Read it with read_resource." });
});

test("a text resource is shown under its address", () => {
  expect(read({ content: [{ type: "resource", resource: { uri: "file:///a.txt", text: "hello" } }] })).toMatchObject({
    text: "file:///a.txt\nhello",
  });
});

test("an answer that cannot be stored or is endlessly deep does no harm", () => {
  expect(read({ content: [{ type: "text", text: "a\u0000b" }] })).toBe("a\ufffdb");
  const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`);
  expect(read({ structuredContent: deep })).toContain("nested more than 100 levels");
});

test("hidden characters and terminal colours do not reach the model, and their removal is told", () => {
  const text = read({ content: [{ type: "text", text: "\u001b[31mred\u001b[0m and \u200bwhite\u{e0041}" }] });
  expect(text).toBe("red and white\n[Handrail removed hidden characters: U+200B (1), U+E0041 (1)]");
  expect(read({ structuredContent: { note: "a\u202eb" } })).toMatchObject({ structured: { note: "ab" } });
  expect(read({ content: [{ type: "text", text: "👨‍👩‍👧 می‌خواهم" }] })).toBe("👨‍👩‍👧 می‌خواهم");
});

test("an embedded text keeps its address beside the text, and an embedded file its own", () => {
  const answer = readAnswer({
    content: [
      { type: "resource", resource: { uri: "note://a", mimeType: "text/plain", text: "one\u200b\u{e0041}" } },
      { type: "resource", resource: { uri: "note://b.bin", blob: "AAAA" } },
    ],
  });
  expect(answer).toMatchObject({
    resources: [{ uri: "note://a", mediaType: "text/plain" }],
    files: [{ name: "1-b.bin", uri: "note://b.bin" }],
  });
  const { text, resources } = answer as { text: string; resources: { uri: string; text: string }[] };
  expect(text).toContain(`note://a\n${resources[0]?.text}\n`);
});

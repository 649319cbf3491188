import { readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { guardedHttp } from "@/server/capabilities/guarded-http";
import { workspaceFiles } from "@/server/capabilities/workspace-files";
import { runTool } from "@/server/testing/run-tool";
import { temporaryFolder } from "@/server/testing/tool-context";
import { isRichResult } from "../../define-tool";
import { urlFetch } from "./url-fetch";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (body: string | Uint8Array, headers: Record<string, string> = { "content-type": "text/plain" }, status = 200) =>
  serve((_request, response) => void response.writeHead(status, headers).end(body));

function workspace() {
  const root = temporaryFolder();
  const given = { http: guardedHttp({ allowPrivateAddresses: true }), files: workspaceFiles(root) };
  return { root, fetch: (args: JsonObject, more: { signal?: AbortSignal } = {}) => runTool(urlFetch, args, { ...given, ...more }) };
}

/** An answer of status 400 and above, as the model reads it. */
async function failure(answer: ReturnType<typeof runTool>): Promise<JsonObject> {
  const result = await answer;
  if (!isRichResult(result) || !result.isError) throw new Error("The answer is not marked as an error");
  return JSON.parse(result.text) as JsonObject;
}

describe("a text", () => {
  test("is answered with where it came from", async () => {
    const url = await answering('{"a":1}', { "content-type": "application/json" });
    expect(await workspace().fetch({ url: `${url}/x` })).toEqual({
      url: `${url}/x`,
      method: "GET",
      status: 200,
      contentType: "application/json",
      bytes: 7,
      truncated: false,
      body: '{"a":1}',
    });
  });

  test("is cut at 512 KiB, or at less when asked", async () => {
    const url = await answering("x".repeat(600_000));
    expect(await workspace().fetch({ url })).toMatchObject({ bytes: 524_288, truncated: true });
    expect(await workspace().fetch({ url, maxBytes: 100 })).toMatchObject({ body: "x".repeat(100), truncated: true });
    expect(await workspace().fetch({ url, maxBytes: 99_999_999 })).toMatchObject({ bytes: 524_288 });
  });

  test("is not cut inside a character", async () => {
    const url = await answering("é".repeat(10), { "content-type": "text/plain; charset=utf-8" });
    expect(await workspace().fetch({ url, maxBytes: 5 })).toMatchObject({ body: "éé", truncated: true });
  });

  test("is read in the charset that it names", async () => {
    const url = await answering(Buffer.from("caf\xe9", "latin1"), { "content-type": "text/plain; charset=ISO-8859-1" });
    expect(await workspace().fetch({ url })).toMatchObject({ body: "café" });
    const unknown = await answering("plain", { "content-type": "text/plain; charset=klingon" });
    expect(await workspace().fetch({ url: unknown })).toMatchObject({ body: "plain" });
  });

  test("without a type is shown when it is one", async () => {
    expect(await workspace().fetch({ url: await answering("plain", {}) })).toMatchObject({ contentType: null, body: "plain" });
  });

  test("that is none is not shown, and there is a way to save it", async () => {
    for (const [body, type] of [
      [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0]), "image/png"],
      [Buffer.from([0xff, 0xfe, 0xfd]), "application/octet-stream"],
      [Buffer.from("a\0b"), "text/plain"],
    ] as const) {
      const answer = await workspace().fetch({ url: await answering(body, { "content-type": type }) });
      expect(answer).toMatchObject({ note: expect.stringContaining("downloadPath") });
      expect(answer).not.toHaveProperty("body");
    }
  });
});

describe("an HTML page", () => {
  const html = "<title>T</title><p>Hello <a href='/next'>there</a></p><script>no()</script>";

  test("is answered as title, text and links", async () => {
    const url = await answering(html, { "content-type": "text/html; charset=utf-8" });
    const answer = await workspace().fetch({ url });
    expect(answer).toMatchObject({ title: "T", text: "Hello there", links: [{ text: "there", url: `${url}/next` }] });
    expect(answer).not.toHaveProperty("body");
  });

  test("is answered as its source when asked", async () => {
    const url = await answering(html, { "content-type": "text/html" });
    expect(await workspace().fetch({ url, raw: true })).toMatchObject({ body: html });
  });
});

describe("what is sent", () => {
  const echo = () =>
    serve(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({ method: request.method, type: request.headers["content-type"] ?? null, extra: request.headers["x-extra"], body }),
      );
    });
  const sent = async (args: JsonObject) => JSON.parse(((await workspace().fetch({ url: await echo(), ...args })) as { body: string }).body);

  test("has the type of its body: an object is JSON, a text is text", async () => {
    expect(await sent({ method: "POST", body: { a: [1, null] } })).toMatchObject({ type: "application/json", body: '{"a":[1,null]}' });
    expect(await sent({ method: "PUT", body: "héllo" })).toMatchObject({ type: "text/plain; charset=utf-8", body: "héllo" });
    expect(await sent({ method: "patch", body: [1] })).toMatchObject({ method: "PATCH", type: "application/json", body: "[1]" });
    expect(await sent({ method: "POST" })).toMatchObject({ type: null, body: "" });
  });

  test("has the type that the caller gives, and other headers", async () => {
    expect(await sent({ method: "POST", body: "<a/>", headers: { "Content-Type": "application/xml", "X-Extra": "1" } })).toMatchObject({
      type: "application/xml",
      extra: "1",
    });
  });

  test.each(["GET", "DELETE"])("has no body in a %s request", async (method) => {
    await expect(sent({ method, body: "x" })).rejects.toThrow("has no body");
  });

  test("is one of five methods, without credentials, of at most 1 MiB", async () => {
    await expect(sent({ method: "TRACE" })).rejects.toThrow("method");
    await expect(sent({ headers: { authorization: "Bearer x" } })).rejects.toMatchObject({ code: "forbidden" });
    await expect(sent({ method: "POST", body: "x".repeat(1_048_577) })).rejects.toMatchObject({ code: "too_large" });
  });
});

describe("an answer that is no success", () => {
  test("is an error for the model, with what the other side said", async () => {
    const url = await answering("no such page", { "content-type": "text/plain" }, 404);
    expect(await failure(workspace().fetch({ url }))).toMatchObject({ error: "non-2xx status: 404", status: 404, body: "no such page" });
  });

  test("that redirects says where to, and nobody goes there", async () => {
    const url = await answering("", { location: "https://elsewhere.example/" }, 302);
    expect(await workspace().fetch({ url })).toMatchObject({ status: 302, location: "https://elsewhere.example/" });
    expect(await workspace().fetch({ url, followRedirects: true })).toMatchObject({ status: 302 });
  });

  test("in time is given up with a sentence", async () => {
    const url = await serve(() => {});
    await expect(workspace().fetch({ url, timeoutSeconds: 0.2 })).rejects.toMatchObject({
      code: "timed_out",
      message: expect.stringContaining("0.2 seconds"),
    });
    const cancelled = AbortSignal.timeout(100);
    await expect(workspace().fetch({ url }, { signal: cancelled })).rejects.toMatchObject({ name: "TimeoutError" });
  });
});

describe("a download", () => {
  test("is saved to the workspace, of any kind, unpacked", async () => {
    const bytes = Buffer.from([0, 1, 2, 255]);
    const url = await answering(gzipSync(bytes), { "content-type": "application/zip", "content-encoding": "gzip" });
    const { root, fetch } = workspace();
    expect(await fetch({ url, downloadPath: "in/data.zip" })).toEqual({
      url: `${url}/`,
      method: "GET",
      status: 200,
      contentType: "application/zip",
      bytes: 4,
      path: "in/data.zip",
      saved: true,
      note: "Saved to in/data.zip.",
    });
    expect(readFileSync(path.join(root, "in/data.zip"))).toEqual(bytes);
  });

  test("that is too large leaves nothing behind", async () => {
    const { root, fetch } = workspace();
    const url = await answering("x".repeat(5_000));
    await expect(fetch({ url, downloadPath: "a.txt", maxBytes: 1_000 })).rejects.toMatchObject({ code: "too_large" });
    expect(readdirSync(root)).toEqual([]);
  });

  test("that breaks off leaves nothing behind", async () => {
    const { root, fetch } = workspace();
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write("begun", () => response.destroy());
    });
    await expect(fetch({ url, downloadPath: "a.txt" })).rejects.toMatchObject({ code: "unavailable" });
    expect(readdirSync(root)).toEqual([]);
  });

  test("of an answer that is no success saves nothing", async () => {
    const { root, fetch } = workspace();
    const url = await answering("not found", {}, 404);
    expect(await failure(fetch({ url, downloadPath: "a.txt" }))).toMatchObject({ status: 404, saved: false });
    expect(readdirSync(root)).toEqual([]);
  });

  test("does not leave the workspace", async () => {
    const url = await answering("x");
    await expect(workspace().fetch({ url, downloadPath: "../a.txt" })).rejects.toMatchObject({ code: "forbidden" });
  });
});

test("in production nothing private is fetched", async () => {
  const url = await answering("inside");
  const given = { http: guardedHttp(), files: workspaceFiles(temporaryFolder()) };
  await expect(runTool(urlFetch, { url }, given)).rejects.toMatchObject({ code: "forbidden" });
  await expect(runTool(urlFetch, { url: "http://169.254.169.254/" }, given)).rejects.toMatchObject({ code: "forbidden" });
});

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { JsonObject } from "@/contracts/common";

export type PlatformCall = { method: string; path: string; query: URLSearchParams; headers: IncomingHttpHeaders; body: JsonObject };
export type PlatformReply = { status?: number; body?: unknown; bytes?: Uint8Array; type?: string };
/** Answers by method and path, such as `POST /messages`; `*` in a path stands for anything. */
export type PlatformRoutes = Record<string, (call: PlatformCall) => PlatformReply | unknown>;

/** A server that answers as a platform's API does, until the test ends; what it has no route for, it answers 404. */
export async function startPlatformServer(routes: PlatformRoutes): Promise<{ url: string; calls: PlatformCall[] }> {
  const calls: PlatformCall[] = [];
  const patterns = Object.entries(routes).map(([route, answer]) => {
    const [method, path = ""] = route.split(" ");
    return { method, path: new RegExp(`^${path.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".+")}$`), answer };
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? "/", "http://localhost");
    const body = await bodyOf(request.headers["content-type"] ?? "", Buffer.concat(chunks));
    const call = { method: request.method ?? "", path: url.pathname, query: url.searchParams, headers: request.headers, body };
    calls.push(call);
    const found = patterns.find(({ method, path }) => method === call.method && path.test(call.path));
    const given = found ? await found.answer(call) : { status: 404, body: { error: `no route for ${call.method} ${call.path}` } };
    const isReply = typeof given === "object" && given !== null && ("status" in given || "bytes" in given);
    const { status = 200, body: answer, bytes, type = "application/json" } = isReply ? (given as PlatformReply) : { body: given };
    response.writeHead(status, { "content-type": type }).end(bytes ?? (typeof answer === "string" ? answer : JSON.stringify(answer ?? {})));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}

async function bodyOf(type: string, bytes: Buffer): Promise<JsonObject> {
  if (bytes.byteLength === 0) return {};
  if (type.includes("json")) return JSON.parse(bytes.toString("utf8")) as JsonObject;
  if (!type.includes("form")) return { bytes: bytes.byteLength };
  const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [name, typeof value === "string" ? value : { name: value.name, bytes: value.size }]),
  );
}

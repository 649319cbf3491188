import { createServer, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Problem } from "@/contracts/common";
import { prepareRequest } from "./prepare-request";

const server = createServer((request, response) => {
  if (prepareRequest(request, response)) return;
  response.end(JSON.stringify(request.headers["x-forwarded-for"]));
});
let base = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

test("every answer carries the security headers, and the API a policy under which nothing runs", async () => {
  const page = await fetch(`${base}/tools?x=1`);
  expect(page.headers.get("x-content-type-options")).toBe("nosniff");
  expect(page.headers.get("x-frame-options")).toBe("DENY");
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
  expect(page.headers.get("content-security-policy")).toBeNull();
  const api = await fetch(`${base}/api/v1/tools`);
  expect(api.headers.get("content-security-policy")).toContain("default-src 'none'");
});

test("a method that an address does not know gets a problem document with the methods that it knows", async () => {
  const response = await fetch(`${base}/api/v1/guard/config?x=1`, { method: "DELETE", headers: { "x-request-id": "mine" } });
  expect(response.status).toBe(405);
  expect(response.headers.get("allow")).toBe("GET, PUT");
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  expect(Problem.parse(await response.json())).toMatchObject({ code: "method_not_allowed", status: 405, requestId: "mine" });
});

test("an address that cannot be decoded is refused with a problem document", async () => {
  const response = await fetch(`${base}/api/v1/tools/%zz`);
  expect(response.status).toBe(400);
  expect(Problem.parse(await response.json())).toMatchObject({ code: "malformed" });
});

test("a whole address, as one sends it to a proxy, counts as its path", async () => {
  const { port } = server.address() as AddressInfo;
  const status = await new Promise((resolve, reject) => {
    httpRequest({ port, path: "http://elsewhere.example/api/v1/guard/config", method: "DELETE" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
  expect(status).toBe(405);
});

test.each([
  ["GET", "/api/v1/tools"],
  ["HEAD", "/api/v1/tools"],
  ["OPTIONS", "/api/v1/tools"],
  ["POST", "/api/v1/mcp/servers/test"],
  ["POST", "/api/v1/nothing/here"],
  ["POST", "/tools"],
])("%s %s is left to whoever serves it", async (method, path) => {
  expect((await fetch(`${base}${path}`, { method })).status).toBe(200);
});

test("whatever a client claims, the last forwarded address is the one that it called from", async () => {
  const body = await new Promise<string>((resolve, reject) => {
    httpRequest(`${base}/api/v1/me`, { headers: { "x-forwarded-for": "203.0.113.7" } }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve(text));
    })
      .on("error", reject)
      .end();
  });
  expect(JSON.parse(body)).toBe("203.0.113.7, 127.0.0.1");
});

test.each([
  ["two Host headers", "GET /tools HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"],
  ["no HTTP version", "GET /tools\r\n\r\n"],
])("a request with %s is refused", async (_what, message) => {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  let told = "";
  socket.on("data", (chunk) => {
    told += String(chunk);
  });
  socket.write(message);
  await new Promise((resolve) => socket.once("close", resolve));
  expect(told).toContain(" 400 Bad Request");
});

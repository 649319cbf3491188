import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Agent, get } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { expect, test } from "vitest";
import { listen } from "./serve";

async function freePort(): Promise<number> {
  const probe = createServer().listen(0);
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, "close");
  return port;
}

/** Starts a server whose /slow answers come from the test, and a keep-alive client. */
async function serving() {
  const port = await freePort();
  const slow: ServerResponse[] = [];
  const { drain } = await listen(
    {
      answer: (request, response) => {
        if (request.url === "/slow") slow.push(response);
        else response.end("at once");
      },
      close: async () => {},
    },
    port,
  );
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) =>
    new Promise<{ connection: string | undefined; text: string }>((resolve, reject) => {
      get({ port, path, agent }, async (response) => {
        let text = "";
        for await (const chunk of response) text += String(chunk);
        resolve({ connection: response.headers.connection, text });
      }).on("error", reject);
    });
  return {
    drain,
    ask,
    slow,
    until: async (isTrue: () => boolean) => {
      while (!isTrue()) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("requests under way at a stop are finished, and their answers end the connection", async () => {
  const { drain, ask, slow, until } = await serving();
  const asked = ask("/slow");
  await until(() => slow.length === 1);
  const drained = drain();
  slow[0]?.end("done");
  expect(await asked).toEqual({ connection: "close", text: "done" });
  await drained;
  await expect(ask("/after")).rejects.toThrow("ECONNREFUSED");
});

test("a client with an open connection learns from an answer that it ends", async () => {
  const kept = await serving();
  expect((await kept.ask("/")).connection).toBe("keep-alive");
  const drained = kept.drain();
  expect(await kept.ask("/")).toEqual({ connection: "close", text: "at once" });
  await drained;
});

test("an endless request is cut off after five seconds, and an idle connection long before", async () => {
  const { drain, ask, slow, until } = await serving();
  const asked = expect(ask("/slow")).rejects.toThrow("socket hang up");
  await until(() => slow.length === 1);
  const idle = await serving();
  await idle.ask("/");
  const ended: string[] = [];
  await Promise.all([drain().then(() => ended.push("slow")), idle.drain().then(() => ended.push("idle"))]);
  expect(ended).toEqual(["idle", "slow"]);
  await asked;
});

test("a request that arrives only in part is ended, and a whole one on the same server is answered", async () => {
  const port = await freePort();
  const answer = (_request: unknown, response: ServerResponse) => void response.end("answered");
  const { drain } = await listen({ answer, close: async () => {} }, port, { requestWithinMs: 50 });
  const socket = connect(port);
  let told = "";
  socket.on("data", (chunk) => {
    told += String(chunk);
  });
  socket.write("POST /api/auth/x HTTP/1.1\r\nHost: a\r\nContent-Le");
  await once(socket, "close");
  expect(told).toContain("408 Request Timeout");
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe("answered");
  await drain();
});

import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Agent, get } from "node:http";
import { type AddressInfo, createServer } from "node:net";
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

/** A server whose answers to /slow the test gives, and a client that keeps its connections. */
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

test("what is under way when we stop is finished, and says that its connection ends", async () => {
  const { drain, ask, slow, until } = await serving();
  const asked = ask("/slow");
  await until(() => slow.length === 1);
  const drained = drain();
  slow[0]?.end("done");
  expect(await asked).toEqual({ connection: "close", text: "done" });
  await drained;
  await expect(ask("/after")).rejects.toThrow("ECONNREFUSED");
});

test("who kept a connection learns from an answer that it ends", async () => {
  const kept = await serving();
  expect((await kept.ask("/")).connection).toBe("keep-alive");
  const drained = kept.drain();
  expect(await kept.ask("/")).toEqual({ connection: "close", text: "at once" });
  await drained;
});

test("what does not end is cut off after five seconds, and an idle connection long before", async () => {
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

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { callNetwork, conversationNetwork, endConversationNetwork, endConversationNetworks, endIdleNetworks } from "./conversation-network";
import type { ProxyEvent } from "./host-proxy";

const run = promisify(execFile);
/** Runs a command as the sandbox does: in the namespace, in its own bubblewrap, with only this environment. */
async function boxed(enter: readonly string[], command: string, environment: Record<string, string> = {}) {
  const [program = "", ...words] = [...enter, "bwrap", "--unshare-user", "--unshare-pid", "--ro-bind", "/", "/", "--dev", "/dev"];
  const env = { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV, ...environment };
  const folders = ["--tmpfs", "/tmp", "--ro-bind", process.execPath, "/tmp/node"];
  return run(program, [...words, ...folders, "--die-with-parent", "bash", "-c", command], { env, timeout: 10_000 })
    .then(({ stdout }) => ({ status: 0, stdout }))
    .catch((error) => ({ status: Number(error.code), stdout: `${error.stdout}` }));
}

/** Starts a server in the namespace, as a background job does; resolves when the server listens. */
async function servedIn(enter: readonly string[], port: number) {
  const program = `require("http").createServer((_, r) => r.end("from the job")).listen(${port}, () => console.log("listening"))`;
  const [command = "", ...words] = [...enter, "bwrap", "--unshare-user", "--unshare-pid", "--dev-bind", "/", "/", "--die-with-parent"];
  const job = spawn(command, [...words, process.execPath, "-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  await once(job.stdout, "data");
  const closed = once(job, "close");
  return { end: () => Promise.all([job.kill("SIGKILL"), closed]) };
}

const isReachedFromHere = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.once("error", () => resolve(false)).once("connect", () => socket.destroy());
  });

afterEach(endConversationNetworks);

describe("The network of a conversation", () => {
  test("A server of a background job is reached from the same conversation, and neither from another one nor from the machine", async () => {
    const mine = await conversationNetwork("mine");
    const other = await conversationNetwork("other");
    const job = await servedIn(mine.enter, 3_000);

    expect(await boxed(mine.enter, "curl -s http://localhost:3000")).toEqual({ status: 0, stdout: "from the job" });
    expect((await boxed(other.enter, "curl -s http://localhost:3000")).status).toBe(7);
    expect(await isReachedFromHere(3_000)).toBe(false);
    await job.end();
  });

  test("A command in it reaches no server of the machine and no other device than the loopback one", async () => {
    const server = createServer((_request, response) => response.end("of the machine")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { enter } = await conversationNetwork("one");

    const { port } = server.address() as AddressInfo;
    expect((await boxed(enter, `curl -s http://127.0.0.1:${port}`)).status).toBe(7);
    expect((await boxed(enter, "tail -n +3 /proc/net/dev | cut -d: -f1")).stdout.trim()).toBe("lo");
    server.close();
  });

  test("A call that needs no network gets none, until an earlier call of its conversation made one", async () => {
    expect(await callNetwork("lazy", { isNeeded: false })).toBeNull();
    const needed = await callNetwork("lazy", { isNeeded: true });

    expect((await callNetwork("lazy", { isNeeded: false }))?.enter).toEqual(needed?.enter);
    expect(needed).not.toBeNull();
  });

  test("Two calls at the same time share one network", async () => {
    const [first, second] = await Promise.all([conversationNetwork("twin"), conversationNetwork("twin")]);

    expect(first.enter).toEqual(second.enter);
  });

  test("A network whose holder was killed is replaced at the next call", async () => {
    const before = await conversationNetwork("killed");
    const pid = pidIn(before.enter);
    process.kill(pid, "SIGKILL");
    await gone(pid);
    await expect.poll(async () => (await conversationNetwork("killed")).enter).not.toEqual(before.enter);

    const { enter } = await conversationNetwork("killed");
    expect((await boxed(enter, "true")).status).toBe(0);
  });

  test("An idle network ends, and one with a process or a proxy in it stays", async () => {
    const [idle, busy, granted] = await Promise.all(["idle", "busy", "granted"].map(conversationNetwork));
    if (!idle || !busy || !granted) throw new Error("Three networks were asked for");
    const job = await servedIn(busy.enter, 3_000);
    const proxy = await granted.proxy(["example.com"]);

    await endIdleNetworks(0);

    expect([idle, busy, granted].map(({ enter }) => existsSync(`/proc/${pidIn(enter)}`))).toEqual([false, true, true]);
    await job.end();
    proxy.close();
    await endIdleNetworks(0);
    expect([busy, granted].map(({ enter }) => existsSync(`/proc/${pidIn(enter)}`))).toEqual([false, false]);
  });

  test("The network of a deleted conversation ends at once", async () => {
    const { enter } = await conversationNetwork("deleted");
    await endConversationNetwork("deleted");

    expect(existsSync(`/proc/${pidIn(enter)}`)).toBe(false);
  });
});

describe("The proxy of a call", () => {
  const served = createServer((request, response) => response.end(`reached ${request.url}`));
  let place = "";
  beforeAll(async () => {
    served.listen(0, "127.0.0.2");
    await once(served, "listening");
    place = `127.0.0.2:${(served.address() as AddressInfo).port}`;
  });
  afterAll(() => void served.close());

  test("A granted host that an admin listed is reached through it, and is reported", async () => {
    const events: ProxyEvent[] = [];
    const { enter, proxy } = await conversationNetwork("one");
    const { environment } = await proxy([place], { privateHosts: [place], onConnection: (event) => events.push(event) });

    expect(await boxed(enter, `curl -s http://${place}/a && curl -s --proxytunnel http://${place}/b`, environment)).toEqual({
      status: 0,
      stdout: "reached /areached /b",
    });
    const [host = "", port] = place.split(":");
    const reached = { host, port: Number(port), outcome: "reached", reason: null };
    expect(events).toEqual([reached, reached]);
  });

  test("Without the credentials of the call, another process of the same conversation gets nothing", async () => {
    const { enter, proxy } = await conversationNetwork("one");
    const { url } = await proxy([place], { privateHosts: [place] });
    const bare = url.replace(/\/\/.*@/, "//");

    expect((await boxed(enter, `curl -s -o /dev/null -w '%{http_code}' -x ${bare} http://${place}/`)).stdout).toBe("407");
    const wrong = url.replace(/:[0-9a-f]{64}@/, `:${"0".repeat(64)}@`);
    expect((await boxed(enter, `curl -s -o /dev/null -w '%{http_connect}' -p -x ${wrong} http://${place}/`)).stdout).toBe("407");
  });

  test("After the call, its credentials are worth nothing", async () => {
    const { enter, proxy } = await conversationNetwork("one");
    const { environment, close } = await proxy([place], { privateHosts: [place] });
    close();

    expect((await boxed(enter, `curl -s -o /dev/null -w '%{http_code}' http://${place}/`, environment)).stdout).toBe("407");
  });

  test("Node, git, npm and python find the proxy in their environment", async () => {
    const { enter, proxy } = await conversationNetwork("one");
    const { environment } = await proxy([place], { privateHosts: [place] });

    const node = `/tmp/node -e 'fetch("http://${place}/node").then((r) => r.text()).then(console.log)'`;
    expect((await boxed(enter, node, environment)).stdout).toBe("reached /node\n");
    const python = `python3 -c 'import urllib.request as u; print(u.urlopen("http://${place}/python").read().decode())'`;
    expect((await boxed(enter, python, environment)).stdout).toBe("reached /python\n");
    const events: ProxyEvent[] = [];
    const refusing = await proxy(["example.com"], { onConnection: (event) => events.push(event) });
    await boxed(enter, "git ls-remote http://git.example.org/a.git", refusing.environment);
    await boxed(enter, "npm view left-pad --fetch-retries=0 --registry=http://npm.example.org --cache /tmp/c", refusing.environment);
    expect(events.map(({ host, outcome }) => `${host} ${outcome}`)).toEqual(["git.example.org refused", "npm.example.org refused"]);
  });

  test("An entry that is no host is refused with a sentence", async () => {
    const { proxy } = await conversationNetwork("one");

    await expect(proxy(["https://example.com/a"])).rejects.toThrow(
      '"https://example.com/a" is not a host. Write a name such as registry.npmjs.org, *.example.com or example.com:8443.',
    );
  });
});

const pidIn = (enter: readonly string[]): number => Number(/\d+/.exec(enter.slice(1).join(" "))?.[0]);
const gone = (pid: number) => expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);

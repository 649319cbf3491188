import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { hostile, useConnectedServers } from "@/server/testing/mcp/connected-servers";

const { connected, folder, marker, patience, processes, refusalOf, rowsOf, run, start, statusOf, stop } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });

test("answers come back as what they are: errors in band, pictures as files, structure kept, progress as it happens", async () => {
  await start();
  const { id } = await connected("odd", [hostile]);
  expect(await run(id, "odd__fail")).toBe("No such file: a.txt");
  expect(await run(id, "odd__refuse")).toContain("Not today");
  expect(await run(id, "odd__nothing")).toBe("(tool returned no content)");
  expect(await run(id, "odd__parts")).toBe("a picture\n[1-image.png: image/png, 3 bytes]");
  expect(await run(id, "odd__huge")).toContain("larger than 16 MiB");
  expect(await run(id, "odd__nonsense")).toBe("[left out: a faulty or unknown block of the type hologram]");
  const progress = vi.fn();
  expect(await run(id, "odd__steps", {}, { progress })).toBe("done");
  expect(progress.mock.calls).toEqual([["half way", { progress: 1, total: 2 }]]);
});

const refusedAnswers: [object, string][] = [
  [{ jsonrpc: "2.0", result: "done" }, "its result is a text and no object."],
  [{ jsonrpc: "2.0", result: null }, "its result is null and no object."],
  [{ jsonrpc: "2.0", result: ["a"] }, "its result is a list and no object."],
  [{ jsonrpc: "2.0", error: "it failed" }, "its error has no code and message."],
  [{ jsonrpc: "2.0" }, "it has neither a result nor an error."],
  [{ result: {} }, 'it does not say "jsonrpc": "2.0".'],
];

test.each(refusedAnswers)("an answer that is not of the protocol ends its call at once, with the reason: %j", async (message, why) => {
  await start();
  const { id } = await connected("odd", [hostile]);
  const startedAt = performance.now();
  expect(await refusalOf(run(id, "odd__answer_with", { message }))).toBe(
    `odd's answer is not of the MCP protocol: ${why} Whether the call had an effect is not known: check before you send it again.`,
  );
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(await run(id, "odd__echo", { a: 1 }), "its neighbours are answered").toBe('{"a":1}');
});

const answer = '"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"done"}]}';

test.each([
  ["a batch", [`[{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"in the batch"}},{${answer}}]`]],
  ["an error that is null", [`{${answer},"error":null}`]],
  ["an empty list before it", ["[]", `{${answer}}`]],
])("an answer with %s is read", async (_title, lines) => {
  await start();
  const { id } = await connected("odd", [hostile]);
  expect(await run(id, "odd__print", { lines })).toBe("done");
});

test("lines that are nested two hundred thousand levels deep end one call at most, and Handrail answers the next", async () => {
  await start();
  const { id } = await connected("odd", [hostile]);
  const [list, object] = [`${"[".repeat(200_000)}${"]".repeat(200_000)}`, `${'{"a":'.repeat(200_000)}1${"}".repeat(200_000)}`];
  expect(await run(id, "odd__print", { lines: [list, object, `{${answer}}`] })).toBe("done");
  const deep = [
    `"result":{"content":[],"structuredContent":${object}}`,
    `"result":{"content":[${list}]}`,
    `"error":{"code":-32000,"message":"no","data":${object}}`,
    `"error":${list}`,
  ];
  for (const members of deep)
    expect(await refusalOf(run(id, "odd__print", { lines: [`{"jsonrpc":"2.0","id":$ID,${members}}`] }))).toMatch(
      /^odd's answer is not of the MCP protocol: it is nested more than 500 levels deep\. /,
    );
  expect(await run(id, "odd__echo", { a: 1 })).toBe('{"a":1}');
});

test("a server that writes null for what it leaves out connects, lists its tools and is read", async () => {
  await start();
  const { id } = await connected("nulls", [hostile, "nulls"]);
  const read = await run(id, "nulls__null_parts");
  expect(read).toMatch(/^one\n/);
  expect(read).toContain("two");
  expect(read).toContain("note://b");
  expect(read).not.toContain("left out");
});

test("a server is told which trace a call belongs to, and nothing where there is none", async () => {
  await start();
  const { id } = await connected("traced", [hostile, "traced"]);
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect(await run(id, "traced__meta", {}, { traceparent })).toBe(JSON.stringify({ traceparent }));
  expect(await run(id, "traced__meta")).toBe('{"traceparent":null}');
});

test("a server that dies during a call fails that call, is started again, and the next call runs", async () => {
  await start();
  const { id } = await connected("fragile", [hostile]);
  const refused = await refusalOf(run(id, "fragile__die"));
  expect(refused).toContain("fragile stopped while the call was running. The server stopped (exit code 9).");
  expect(refused).toContain("not known");
  expect(await run(id, "fragile__echo", { back: true })).toBe('{"back":true}');
  await statusOf(id, "connected");
  expect((await rowsOf(id)).every(({ availability }) => availability === "available")).toBe(true);
});

test("a call that stops its server is not repeated, and the next call finds the server started again", async () => {
  await start();
  const { id } = await connected("fragile", [hostile, "well", marker]);
  expect((await rowsOf(id)).find(({ name }) => name === "fragile__die_always")?.idempotent).toBe(true);
  expect((await rowsOf(id)).find(({ name }) => name === "fragile__die")?.idempotent).toBe(false);
  const file = path.join(folder(), "deaths");
  expect(await refusalOf(run(id, "fragile__die_always", { file }))).toMatch(
    /not repeated, because it may have stopped the server\. Go on without it, or try again later\.$/,
  );
  expect(await readFile(file, "utf8")).toBe("x");
  expect(await run(id, "fragile__echo", { back: true })).toBe('{"back":true}');
  await stop();
  expect(await processes()).toEqual([]);
});

test("a call that hangs ends when its time is up, and the calls beside it are answered meanwhile", async () => {
  await start();
  const { id } = await connected("slow", [hostile, "well", marker]);
  const other = await connected("other", [hostile, "well", marker]);
  const hanging = run(id, "slow__slow", {}, { signal: AbortSignal.timeout(700) });
  const ended = expect(hanging).rejects.toThrow("timeout");
  expect(await run(id, "slow__echo", { a: 1 })).toBe('{"a":1}');
  expect(await run(other.id, "other__echo", { b: 2 })).toBe('{"b":2}');
  await ended;
  expect(await run(id, "slow__echo", { still: "here" })).toBe('{"still":"here"}');
  expect(await processes()).toHaveLength(2);
});

test("a flood of progress becomes about ten lines a second, and neighbours are answered while it lasts", async () => {
  await start();
  const { id } = await connected("eager", [hostile]);
  const other = await connected("calm", [hostile]);
  const lines: string[] = [];
  const startedAt = performance.now();
  const flood = run(id, "eager__flood", {}, { progress: (line) => lines.push(line) });
  expect(await run(other.id, "calm__echo", { a: 1 })).toBe('{"a":1}');
  expect(await run(id, "eager__echo", { b: 2 })).toBe('{"b":2}');
  expect(await flood).toBe("done");
  const tenths = (performance.now() - startedAt) / 100;
  expect(lines[0]).toBe("1 of 200000");
  expect(lines.length).toBeLessThanOrEqual(tenths + 2);
});

test("a server's error stream disturbs nothing", async () => {
  await start();
  const { id } = await connected("loud", [hostile]);
  expect(await run(id, "loud__shout")).toBe("heard");
  expect(await run(id, "loud__echo", { a: 1 })).toBe('{"a":1}');
});

test("a server that floods its output with something else is given up after a few megabytes, with the reason", async () => {
  await start();
  const { id } = await connected("babbling", [hostile, "well", marker]);
  const other = await connected("calm", [hostile]);
  const refused = refusalOf(run(id, "babbling__babble"));
  expect(await run(other.id, "calm__echo", { a: 1 })).toBe('{"a":1}');
  expect(await refused).toContain("babbling stopped while the call was running. The server wrote 4 MiB to its output that are not MCP.");
  await expect.poll(processes, patience).toHaveLength(1);
  await stop();
  expect(await processes()).toEqual([]);
});

import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { activations, processes } from "@/db/schema";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { listProcesses } from "@/server/testing/processes/list-processes";
import { statuses, submitCalls, useStage } from "@/server/testing/stage";
import { endProcess, findLive } from "../processes/live-processes";
import { settleLostProcesses } from "../processes/settle-lost";
import { processTool } from "./process";

const stage = useStage();
beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
  await db().insert(activations).values({ conversationId: stage.conversationId, toolName: "process" });
});
afterEach(async () => {
  for (const { id } of await rows()) await endIfLive(id);
  await endConversationNetworks();
});

const rows = () => db().select().from(processes).where(eq(processes.conversationId, stage.conversationId));
const endIfLive = async (id: string) => {
  const live = findLive(id);
  if (live) await endProcess(live);
};
const submit = (args: JsonObject) => submitCalls(stage, [["process", args]], { wait: 20 });
async function act(args: JsonObject): Promise<string> {
  const turn = await submit(args);
  expect(turn.status, JSON.stringify(turn.calls)).toBe("completed");
  return turn.calls[0]?.content ?? "";
}
const idIn = (text: string) => /proc_[0-9a-f]{8}/.exec(text)?.[0] ?? "";
const start = async (command: string, more: JsonObject = {}) => idIn(await act({ action: "start", command, ...more }));

describe("a process", () => {
  test("outlives its call, answers what is new, takes input and ends with its code", async () => {
    const id = await start('echo ready; while read line; do echo "got $line"; [ "$line" = stop ] && exit 4; done');
    expect(await act({ action: "poll", id })).toMatch(new RegExp(`^${id} running for \\d+ s: echo ready.*\n\\(no new output\\)`));
    expect(await act({ action: "write", id, command: "one" })).toMatch(/\ngot one\n?$/);
    expect(await act({ action: "write", id, input: "stop" })).toContain("got stop");
    expect(await act({ action: "poll", id, waitSeconds: 5 })).toMatch(/exited with code 4 after/);
    expect(await act({ action: "log", id })).toMatch(/\nready\ngot one\ngot stop\n?$/);
    expect((await rows())[0]).toMatchObject({ name: id, status: "exited", exitCode: 4, log: "ready\ngot one\ngot stop\n" });
    const late = await submit({ action: "write", id, command: "x" });
    expect(late.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("It takes no more input") });
  });

  test("that a registry of packages refused says the way out, like a command", async () => {
    const id = await start("echo npm error code E401; exit 1");
    const way = /asks for a token \(401\).*an admin sets it with its token in Settings, Package registries\.\]\n/;
    expect(await act({ action: "log", id })).toMatch(way);
  });

  test("starts in the folder of the last command, serves the commands after it, and leaves nothing when it is killed", async () => {
    await submitCalls(stage, [["shell_execute", { command: "mkdir -p site && echo page > site/index.html && cd site" }]], { wait: 20 });
    const serve = `exec perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 4870, Listen => 5, ReuseAddr => 1) or die; print "up\n"; $|=1; while ($c = $s->accept) { open(F, "index.html"); print $c <F>; close $c }'`;
    const id = await start(serve);
    const ask = `perl -MIO::Socket::INET -e '$c = IO::Socket::INET->new("127.0.0.1:4870") or die; print <$c>'`;
    const turn = await submitCalls(stage, [["shell_execute", { command: ask }]], { wait: 20 });
    expect(turn.calls[0]?.content).toContain("page");
    expect(await act({ action: "list" })).toMatch(new RegExp(`^${id} running for .* in site: exec perl`));
    expect(await act({ action: "kill", id })).toMatch(/ killed after /);
    expect((await rows())[0]).toMatchObject({ status: "killed", folder: "site" });
    expect(listProcesses("LocalPort => 4870")).toEqual([]);
  });

  test("has a terminal when it asks for one, and the model reads no control sequences", async () => {
    const id = await start('[ -t 0 ] && printf "\\033[31mcolour\\033[0m "; read -p "name? " name; echo "hi $name"', { pty: true });
    expect(await act({ action: "log", id })).toMatch(/\ncolour name\? $/);
    expect(await act({ action: "write", id, command: "bob" })).toContain("hi bob");
    expect(await act({ action: "poll", id, waitSeconds: 5 })).toMatch(/exited with code 0/);
  });

  test("is judged like a command: its start, and what is written into it", async () => {
    expect(statuses(await submit({ action: "start", command: "cat /etc/shadow" }))).toEqual(["denied"]);
    expect((await submit({ action: "start", command: "cat .env" })).status).toBe("suspended");
    expect((await submit({ action: "start", command: "curl https://example.com", hosts: ["example.com"] })).status).toBe("suspended");
    const id = await start("bash");
    const denied = await submit({ action: "write", id, command: "rm -rf /" });
    expect(statuses(denied)).toEqual(["denied"]);
    expect((await submit({ action: "write", id, command: "cat .env" })).status).toBe("suspended");
    expect(processTool.effects?.({ action: "kill", id })).toEqual([]);
  });

  test("of a server that is gone is marked as lost, and its log is kept", async () => {
    const row = { id: newId(), conversationId: stage.conversationId, name: "proc_0000000a", command: "serve", folder: ".", owner: newId() };
    await db()
      .insert(processes)
      .values([{ ...row, log: "last words", printedBytes: 10 }]);
    await settleLostProcesses();
    expect(await act({ action: "poll", id: "proc_0000000a" })).toMatch(/lost with its server after .*\nlast words$/);
  });

  test("is one of eight at most, and another conversation's is not there", async () => {
    const owner = newId();
    const names = Array.from({ length: 8 }, (_, index) => `proc_0000000${index}`);
    await db()
      .insert(processes)
      .values(names.map((name) => ({ conversationId: stage.conversationId, name, command: "x", folder: ".", owner })));
    // A presence lock of this owner is held, so its processes count as running.
    await db().transaction(async (tx) => {
      await tx.execute(`select pg_advisory_xact_lock(hashtextextended('${owner}', 0))`);
      const turn = await submit({ action: "start", command: "sleep 1" });
      expect(turn.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("which is the limit") });
    });
    const other = await submit({ action: "kill", id: "proc_ffffffff" });
    expect(other.calls[0]?.content).toContain("There is no process proc_ffffffff in this conversation");
  });
});

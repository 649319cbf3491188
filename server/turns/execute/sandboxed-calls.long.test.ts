import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { auditEvents } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { callNetwork, endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { createRule } from "@/server/policy/rules/create-rule";
import { updateConfig } from "@/server/policy/rules/guard-config";
import { authorize, buildConversation } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { approverActor, neverAborted, onlyApproval, runtimeActor, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { cancelJob } from "../background/cancel-job";
import { getJob } from "../background/get-job";
import { jobsAtRest } from "../background/running-jobs";
import { waitForTurn } from "../read/wait-for-turn";
import { removeConversation } from "../remove-conversation";

const stage = useStage();
const served = createServer((request, response) => response.end(`${request.method} ${request.url}`));
/** Address of a server on this machine, reachable only where somebody lists it. */
let place = "";
beforeAll(async () => {
  served.listen(0, "127.0.0.2");
  await once(served, "listening");
  place = `127.0.0.2:${(served.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await jobsAtRest();
  await endConversationNetworks();
  served.close();
});
beforeEach(() => addBuiltinTools(stage.built.workspace.id));

const folderOf = (conversationId = stage.conversationId) =>
  workspaceFolder({ id: conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
const put = (file: string, text: string) => {
  const full = path.join(folderOf(), file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, text);
};
const configure = (patch: Parameters<typeof updateConfig>[1]) => updateConfig(authorize(stage.built.admin, "guard:write"), patch, null);
const ask = (name: string, args: JsonObject) => submitCalls(stage, [[name, args]], { wait: 20 });
const shell = (command: string, more: JsonObject = {}) => ask("shell_execute", { command, ...more });
type Turn = Awaited<ReturnType<typeof ask>>;
const contentOf = (turn: Turn) => turn.calls[0]?.content ?? "";
const printed = (turn: Turn): string => contentOf(turn).replace(/^exit code .*\n/, "");
/** Approves the question of a suspended turn, and waits for its end. */
async function approve(turn: Turn) {
  const goesOn = waitForTurn(turn.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(turn.id)).id, { decision: "approve", comment: "" });
  return goesOn;
}
const networkIn = async (turn: Turn) => {
  const rows = await db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id));
  return rows.find(({ event }) => event.startsWith("call.") && event !== "call.started")?.data.network;
};

/** Answers every connection until it is ended; says in the folder that it listens. */
const server = (port: number) =>
  `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => ${port}, Listen => 5) or die; open(F, ">", "up"); close F; while ($c = $s->accept) { <$c>; print $c "HTTP/1.0 200 OK\\r\\n\\r\\nfrom the job"; close $c }'`;

describe("a call that stays in the sandbox", () => {
  test("runs unasked: it lists, reads, writes, commits and deletes what the conversation made", async () => {
    for (const [name, args] of [
      ["write_file", { path: "src/a.txt", content: "text" }],
      ["shell_execute", { command: "ls -la && cat src/a.txt && mkdir -p out && cp src/a.txt out/" }],
      ["shell_execute", { command: "git init -q && git add . && git commit -qm first" }],
      ["shell_execute", { command: "rm -rf out" }],
      ["edit_file", { path: "src/a.txt", oldText: "text", newText: "more" }],
    ] as const) {
      const turn = await ask(name, args);
      expect(statuses(turn), `${name} ${JSON.stringify(args)}: ${contentOf(turn)}`).toEqual(["succeeded"]);
      expect(turn.calls[0]?.decision?.verdict).toBe("allow");
    }
    expect(readFileSync(path.join(folderOf(), "src/a.txt"), "utf8")).toBe("more");
  });

  test("is a program in the sandbox, with effects in its decision", async () => {
    const turn = await shell("whoami; cat /etc/hostname; cat src 2>/dev/null; true");
    expect(printed(turn)).toContain("agent\n");
    expect(turn.calls[0]?.decision).toMatchObject({
      sandboxed: true,
      effects: expect.arrayContaining([expect.objectContaining({ kind: "read" })]),
    });
  });

  test("asks before it changes a file that runs by itself, and changes it when a person approves", async () => {
    const turn = await ask("write_file", { path: ".git/hooks/pre-commit", content: "#!/bin/sh\n" });
    expect(turn.status).toBe("suspended");
    expect(statuses(await approve(turn))).toEqual(["succeeded"]);
    await shell("git init -q");
    const command = await shell("echo exit 1 > .git/hooks/pre-commit");
    expect(command.status).toBe("suspended");
    expect(statuses(await approve(command))).toEqual(["succeeded"]);
    expect(readFileSync(path.join(folderOf(), ".git/hooks/pre-commit"), "utf8")).toBe("exit 1\n");
  });

  test("reads no sensitive file, also by a name that the guard does not know, until a person approves", async () => {
    put(".env", "TOKEN=1");
    const hidden = await shell('x=e; cat ".${x}nv"; cat .en* ; true');
    expect(hidden.calls[0]?.content).not.toContain("TOKEN");
    const named = await shell("cat .env");
    expect(named.status).toBe("suspended");
    expect(printed(await approve(named))).toBe("TOKEN=1");
  });
});

describe("a link", () => {
  test("that leads out of the folder asks, and an approved call reads what is behind it", async () => {
    const outside = realpathSync(mkdtempSync(path.join(homedir(), "handrail-outside-")));
    onTestFinished(() => rmSync(outside, { recursive: true }));
    writeFileSync(path.join(outside, "file"), "from outside");
    put("notes.txt", "text");
    symlinkSync(path.join(outside, "file"), path.join(folderOf(), "link"));
    const turn = await shell("cat link");
    expect(turn.status).toBe("suspended");
    expect((await onlyApproval(turn.id)).decision.effects).toContainEqual(
      expect.objectContaining({ kind: "read", target: expect.objectContaining({ where: "outside" }) }),
    );
    expect(printed(await approve(turn))).toBe("from outside");
  });

  test("that is turned to another file while a person looks at the question is asked about anew", async () => {
    put("harmless.txt", "text");
    put(".env", "TOKEN=1");
    await createRule(
      authorize(stage.built.admin, "guard:write"),
      GuardRuleDraft.parse({ name: "Ask", tool: "shell_execute", verdict: "require_approval" }),
    );
    const link = path.join(folderOf(), "link");
    symlinkSync("harmless.txt", link);
    const turn = await shell("cat link");
    const first = await onlyApproval(turn.id);
    unlinkSync(link);
    symlinkSync(".env", link);
    const goesOn = waitForTurn(turn.id, 20, neverAborted);
    await decideApproval(approverActor(stage), first.id, { decision: "approve", comment: "" });
    const after = await goesOn;
    expect(after.status).toBe("suspended");
    expect(JSON.stringify(after)).not.toContain("TOKEN=1");
  });
});

describe("the network", () => {
  /** A script hides from the guard what it connects to. */
  const hidden = () => put("fetch.sh", "env | grep -c ^http_proxy=; curl -sS http://other.example/c\n");

  test("is none for a call that names no host, and the answer says how to ask for one", async () => {
    hidden();
    const turn = await shell("sh fetch.sh");
    expect(statuses(turn)).toEqual(["failed"]);
    expect(contentOf(turn)).toMatch(/^exit code \d+: the sandbox has no network\. Name the hosts.*\n0\n/);
    expect(await networkIn(turn)).toBeUndefined();
  });

  test("is a proxy for a call whose hosts a person approved", async () => {
    const turn = await shell("env | grep -c ^http_proxy=", { hosts: ["registry.example.com"] });
    expect(turn.status).toBe("suspended");
    expect((await onlyApproval(turn.id)).decision.effects).toContainEqual(
      expect.objectContaining({ kind: "connect", target: expect.objectContaining({ host: "registry.example.com" }) }),
    );
    expect(printed(await approve(turn))).toBe("1\n");
  });

  test("reaches an allowed host unasked and no other, and the audit names both", async () => {
    await configure({ allowedHosts: [place] });
    hidden();
    const turn = await shell(`curl -s http://${place}/b; echo; sh fetch.sh`, { hosts: [place] });
    expect(statuses(turn)).toEqual(["succeeded"]);
    expect(printed(turn)).toMatch(
      /^\[other\.example:80 is not among the hosts of this call\. Name it in `hosts` to ask for it\.\]\nGET \/b\n1\n/,
    );
    expect(await networkIn(turn)).toEqual({ reached: [place], refused: ["other.example:80"] });
  });

  test("of a job stands in the audit row of its end", async () => {
    await configure({ allowedHosts: [place] });
    const turn = await shell(`curl -s http://${place}/job`, { runInBackground: true });
    const job = await getJob(authorize(stage.built.agentKey, "turns:read"), turn.calls[0]?.jobId ?? "", 20, neverAborted);
    expect(job.content).toBe("exit code 0\nGET /job");
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id));
    expect(rows.find(({ event }) => event === "job.succeeded")?.data.network).toEqual({ reached: [place], refused: [] });
  });

  test("of the machine is not the loopback of the sandbox, where nothing answers", async () => {
    const turn = await shell(`curl -s http://${place}/; echo $?`);
    expect(statuses(turn)).toEqual(["succeeded"]);
    expect(printed(turn)).toBe("7\n");
  });

  test("of a private address that nobody listed asks, and the metadata service is denied", async () => {
    expect((await shell("curl -s http://10.0.0.5/")).status).toBe("suspended");
    expect(statuses(await shell("true", { hosts: ["169.254.169.254:80"] }))).toEqual(["denied"]);
  });
});

describe("a background job", () => {
  const start = async (port: number) => {
    const turn = await shell(server(port), { runInBackground: true });
    expect(statuses(turn), contentOf(turn)).toEqual(["succeeded"]);
    await expect.poll(() => existsSync(path.join(folderOf(), "up"))).toBe(true);
    return turn.calls[0]?.jobId ?? "";
  };

  test("that serves a port is reached by later calls of its conversation, and by no other conversation", async () => {
    const jobId = await start(3_000);
    expect(printed(await shell("curl -s http://localhost:3000/"))).toBe("from the job");
    expect(printed(await shell("curl -s http://127.0.0.1:3000/"))).toBe("from the job");
    const mine = stage.conversationId;
    stage.conversationId = (await buildConversation(stage.built.agentKey)).id;
    const other = await shell("curl -s http://localhost:3000/; echo $?");
    expect(printed(other)).toBe("7\n");
    stage.conversationId = mine;
    expect((await cancelJob(runtimeActor(stage), jobId, neverAborted)).status).toBe("cancelled");
    expect(printed(await shell("curl -s http://localhost:3000/; echo $?"))).toBe("7\n");
  });

  test("has no end of its time on a processor, which a call in the foreground has", async () => {
    const limit = "ulimit -t";
    expect(printed(await shell(limit))).toMatch(/^\d+\n$/);
    const turn = await shell(limit, { runInBackground: true });
    const job = await getJob(authorize(stage.built.agentKey, "turns:read"), turn.calls[0]?.jobId ?? "", 20, neverAborted);
    expect(job.content).toBe("exit code 0\nunlimited\n");
  });

  test("ends with its conversation, whose network and /tmp end with it", async () => {
    await start(3_001);
    await shell("echo text > /tmp/file");
    const temporary = path.join(env().dataDir, "sandbox", "tmp", stage.conversationId);
    expect(existsSync(path.join(temporary, "file"))).toBe(true);
    const network = await callNetwork(stage.conversationId, { isNeeded: false });
    expect(network).not.toBeNull();
    await removeConversation(runtimeActor(stage), stage.conversationId);
    expect(await callNetwork(stage.conversationId, { isNeeded: false })).toBeNull();
    expect(existsSync(temporary)).toBe(false);
    await jobsAtRest();
  });
});

describe("search_files", () => {
  test("leaves sensitive files out, and searches one that is named when a person approves", async () => {
    put(".env", "TOKEN=1\n");
    put("src/a.ts", "const TOKEN = 2\n");
    const all = await ask("search_files", { query: "TOKEN" });
    expect(statuses(all)).toEqual(["succeeded"]);
    expect(contentOf(all)).toContain("src/a.ts");
    expect(contentOf(all)).not.toContain("TOKEN=1");
    const named = await ask("search_files", { query: "TOKEN", path: ".env" });
    expect(named.status).toBe("suspended");
    expect(contentOf(await approve(named))).toContain("TOKEN=1");
    const names = await ask("search_files", { query: "", target: "name" });
    expect(statuses(names)).toEqual(["succeeded"]);
    expect(contentOf(names)).toContain(".env");
  });
});

describe("url_fetch", () => {
  test("reads a public page unasked, and asks before it sends something", async () => {
    const read = await ask("url_fetch", { url: "https://nobody.invalid/" });
    expect(read.calls[0]?.decision?.verdict).toBe("allow");
    expect(read.status).toBe("completed");
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const sent = await ask("url_fetch", { url: "https://nobody.invalid/", method });
      expect(sent.status, method).toBe("suspended");
    }
  });

  test("of a private address that nobody listed asks, and an approval opens it for that call only", async () => {
    const asked = await ask("url_fetch", { url: `http://${place}/once` });
    expect(asked.status).toBe("suspended");
    expect(contentOf(await approve(asked))).toContain("GET /once");
    expect((await ask("url_fetch", { url: `http://${place}/twice` })).status).toBe("suspended");
    await configure({ allowedHosts: [place] });
    expect(contentOf(await ask("url_fetch", { url: `http://${place}/listed` }))).toContain("GET /listed");
    expect(contentOf(await ask("url_fetch", { url: `http://${place}/listed`, method: "POST", body: "x" }))).toContain("POST /listed");
  });

  test("of a private address works once a rule asked and a person approved, because an admin listed the address", async () => {
    await configure({ allowedHosts: [place], defaultPolicy: "require_approval" });
    const asked = await ask("url_fetch", { url: `http://${place}/approved` });
    expect(asked.status).toBe("suspended");
    expect(contentOf(await approve(asked))).toContain("GET /approved");
  });

  test("that could not be sent at all asks nobody", async () => {
    const requests: JsonObject[] = [
      { url: "ftp://example.com/", method: "POST" },
      { url: "https://ann:pw@example.com/", method: "POST" },
      { url: "https://example.com/", method: "POST", headers: { authorization: "x" } },
      { url: "https://example.com/", downloadPath: "../out.txt" },
    ];
    for (const args of requests) {
      expect((await ask("url_fetch", args)).status, JSON.stringify(args)).toBe("completed");
    }
  });
});

test("the conversation's own server is reached by its url_fetch and its browser, and neither by another conversation nor as the machine's", async () => {
  const port = 3_917;
  const started = await shell(server(port), { runInBackground: true });
  expect(statuses(started)).toEqual(["succeeded"]);
  await expect.poll(() => existsSync(path.join(folderOf(), "up"))).toBe(true);
  const own = await ask("url_fetch", { url: `http://localhost:${port}/` });
  expect(own.calls[0]?.decision?.verdict).toBe("allow");
  expect(contentOf(own)).toContain("from the job");
  const opening = { toolName: "browser_use", arguments: { action: "open", url: `http://localhost:${port}/` } };
  const browsed = await ask("tool_call", opening);
  expect(browsed.calls[0]?.decision?.verdict).toBe("allow");
  expect(contentOf(browsed)).toContain("from the job");
  // Another port is the machine's own, which a person has to open.
  expect((await ask("url_fetch", { url: `http://localhost:${port + 1}/` })).status).toBe("suspended");
  const first = stage.conversationId;
  stage.conversationId = (await buildConversation(stage.built.agentKey)).id;
  expect((await ask("url_fetch", { url: `http://localhost:${port}/` })).status).toBe("suspended");
  stage.conversationId = first;
}, 40_000);

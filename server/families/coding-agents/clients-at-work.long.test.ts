import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import { approvals, codingSessions, conversations, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { type CodingClientName, codingClients, hasResult, useCodingClients } from "@/server/testing/coding-agents/coding-clients";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import type { ModelServerRequest } from "@/server/testing/models/model-protocol-server";
import { approverActor } from "@/server/testing/stage";

const { stage, put, home, play, playScript, commandsOf, newest, inProject, hasWitness } = useCodingClients();

const minutes = 400_000;
/** Asks a person, because it names a file outside of the project; it leaves a witness when it runs. */
const asks = "touch witness && cat /etc/passwd > /dev/null";

const ofWorkspace = () => eq(toolCalls.workspaceId, stage.built.workspace.id);
const callsNow = () => db().select().from(toolCalls).where(ofWorkspace()).orderBy(toolCalls.id);
const cardsNow = () => db().$count(approvals, eq(approvals.workspaceId, stage.built.workspace.id));
const done = { text: ["Done."] };

describe.each(Object.keys(codingClients) as CodingClientName[])("%s", (client) => {
  test("a client that is interrupted withdraws its card, and a late answer runs nothing", { timeout: minutes }, async () => {
    const { signal, ended } = await play(client, asks, await codingHttp(stage));
    const card = await newest();
    signal("SIGINT");
    await vi.waitFor(
      async () => {
        const [row] = await db().select({ status: approvals.status }).from(approvals).where(eq(approvals.id, card));
        expect(row?.status).toBe("cancelled");
      },
      // Codex kills its hook, which then withdraws nothing: its card closes a minute later.
      { timeout: 100_000, interval: 200 },
    );
    const late = decideApproval(approverActor(stage), card, { decision: "approve", comment: "" });
    await expect(late).rejects.toMatchObject({ code: "already_decided" });
    await ended;
    expect(hasWitness()).toBe(false);
  });

  test("of three calls at once the refused one does not run, and the others do", { timeout: minutes }, async () => {
    const commands = ["touch first", "touch second && rm -rf /", "touch third"];
    const script = (request: ModelServerRequest) => (hasResult(request) ? done : commandsOf(client, commands));
    const { ended, told } = await playScript(client, script, await codingHttp(stage));
    const said = await ended;
    expect(
      ["first", "second", "third"].map((file) => existsSync(inProject(file))),
      said,
    ).toEqual([true, false, true]);
    expect((await callsNow()).map(({ status }) => status).toSorted()).toEqual(["denied", "succeeded", "succeeded"]);
    expect(told()).toContain("never run, approved or not");
  });

  test("an absolute path in the project is inside, and keys in the home and a link out of the project ask", {
    timeout: minutes,
  }, async () => {
    put(".ssh/id_rsa", "not a key");
    put("private/notes.txt", "private");
    symlinkSync("../private", inProject("linked"));
    writeFileSync(inProject("notes.txt"), "notes");
    const inside = `cat ${inProject("notes.txt")} > ${inProject("inside")}`;
    const script = (request: ModelServerRequest) =>
      hasResult(request)
        ? done
        : commandsOf(client, [inside, `cat ${path.join(home(), ".ssh/id_rsa")} > outside`, "cat linked/notes.txt > through"]);
    const { ended } = await playScript(client, script, await codingHttp(stage));
    for (const _card of ["keys", "link"]) {
      await decideApproval(approverActor(stage), await newest(), { decision: "reject", comment: "" });
    }
    const said = await ended;
    expect(
      ["inside", "outside", "through"].map((file) => existsSync(inProject(file))),
      said,
    ).toEqual([true, false, false]);
    expect(await cardsNow()).toBe(2);
    const calls = await callsNow();
    expect(calls.map(({ status }) => status).toSorted()).toEqual(["rejected", "rejected", "succeeded"]);
    expect(JSON.stringify(calls.map(({ decision }) => decision))).not.toContain("stays in the sandbox");
  });
});

describe("claude-code", () => {
  const isSubagent = ({ body }: ModelServerRequest) => JSON.stringify(body.messages ?? null).includes("Errand:");

  test("a call of a subagent has a session of its own below the client's, and is refused there", { timeout: minutes }, async () => {
    const errand = { description: "An errand", prompt: "Errand: do it", subagent_type: "general-purpose" };
    const script = (request: ModelServerRequest) => {
      if (hasResult(request)) return done;
      if (isSubagent(request)) return commandsOf("claude-code", ["touch witness && rm -rf /"]);
      return { toolCalls: [{ id: "call_agent", name: "Agent", arguments: JSON.stringify({ ...errand, run_in_background: false }) }] };
    };
    const { ended } = await playScript("claude-code", script, await codingHttp(stage));
    const said = await ended;
    expect(hasWitness(), said).toBe(false);
    const refused = (await callsNow()).find(({ status }) => status === "denied");
    expect(refused, said).toBeDefined();
    const sessions = await db()
      .select({ agent: codingSessions.agent, parent: conversations.parentConversationId })
      .from(codingSessions)
      .innerJoin(conversations, eq(conversations.id, codingSessions.conversationId))
      .where(eq(codingSessions.workspaceId, stage.built.workspace.id));
    const found = sessions.map(({ agent, parent }) => ({ agent, isChild: parent !== null }));
    expect(found).toHaveLength(2);
    expect(found).toEqual(
      expect.arrayContaining([
        { agent: null, isChild: false },
        { agent: "general-purpose", isChild: true },
      ]),
    );
  });

  test("a deferred call ends the client, and runs once when it is resumed after the approval", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const script = (request: ModelServerRequest) =>
      hasResult(request) ? done : commandsOf("claude-code", ["echo x >> witness && cat /etc/passwd > /dev/null"]);
    const first = await playScript("claude-code", script, place, { mode: "defer", more: ["--output-format", "json"] });
    const said = await first.ended;
    expect(hasWitness(), said).toBe(false);
    const { session_id: session, deferred_tool_use: deferred } = JSON.parse(
      said
        .trim()
        .split("\n")
        .findLast((line) => line.startsWith("{")) ?? "null",
    );
    expect(deferred).toMatchObject({ id: "call_1" });
    await decideApproval(approverActor(stage), await newest(), { decision: "approve", comment: "" });
    const second = await playScript("claude-code", script, place, { mode: "defer", more: ["--resume", session] });
    const saidThen = await second.ended;
    expect(hasWitness(), saidThen).toBe(true);
    const calls = await callsNow();
    expect(calls.map(({ runtimeId, status }) => [runtimeId, status])).toEqual([["call_1", "succeeded"]]);
    expect(await cardsNow()).toBe(1);
  });
});

describe("codex", () => {
  const patchOf = (file: string) => `*** Begin Patch\n*** Add File: ${file}\n+text\n*** End Patch\n`;

  test("a patch inside the project is applied unasked, and one that leaves it asks", { timeout: minutes }, async () => {
    const patches = ["inside.txt", path.join(home(), "outside.txt")].map((file, index) => ({
      ...{ id: `call_${index}`, name: "apply_patch", arguments: patchOf(file), isFreeform: true },
    }));
    const script = (request: ModelServerRequest) => (hasResult(request) ? done : { toolCalls: patches });
    // Only a model that Codex knows is offered its tool for patches.
    const { ended } = await playScript("codex", script, await codingHttp(stage), { more: ["--model", "gpt-5.5"] });
    await decideApproval(approverActor(stage), await newest(), { decision: "reject", comment: "" });
    const said = await ended;
    expect([existsSync(inProject("inside.txt")), existsSync(path.join(home(), "outside.txt"))], said).toEqual([true, false]);
    expect((await callsNow()).map(({ status }) => status).toSorted()).toEqual(["rejected", "succeeded"]);
  });
});

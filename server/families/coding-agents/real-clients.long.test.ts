import { existsSync, readFileSync } from "node:fs";
import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { approvals, codingSessions, toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { expireApproval } from "@/server/approvals/expire-approvals";
import { db } from "@/server/platform/database/database";
import { type CodingClientName, codingClients, useCodingClients } from "@/server/testing/coding-agents/coding-clients";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { approverActor } from "@/server/testing/stage";
import { decideWithEdits } from "@/server/turns/answers/decide-with-edits";

const { stage, play, newest, project, inProject, hasWitness } = useCodingClients();
const minutes = 400_000;
/** Asks a person, because it names a file outside of the project; it leaves a witness when it runs. */
const asks = "touch witness && cat /etc/passwd > /dev/null";

describe.each(Object.keys(codingClients) as CodingClientName[])("%s", (client) => {
  test("an allowed call runs, and its result is recorded", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const { ended } = await play(client, "touch witness", place);
    const said = await ended;
    expect(hasWitness(), said).toBe(true);
    const [call] = await db().select().from(toolCalls).where(eq(toolCalls.workspaceId, stage.built.workspace.id));
    expect(call).toMatchObject({ status: "succeeded", name: "shell_execute" });
    const [session] = await db().select().from(codingSessions).where(eq(codingSessions.workspaceId, stage.built.workspace.id));
    expect(session).toMatchObject({ client, folder: project(), bypassed: 0 });
  });

  test("what the hard floor denies does not run, and the model reads why", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, "touch witness && rm -rf /", await codingHttp(stage));
    const said = await ended;
    expect(hasWitness(), said).toBe(false);
    expect(told()).toContain("never run, approved or not");
  });

  test("a call waits for a person, runs with the person's arguments, and the model is told", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, asks, await codingHttp(stage));
    await decideWithEdits(approverActor(stage), await newest(), {
      decision: "approve",
      comment: "",
      arguments: { command: "touch witness edited" },
    });
    const said = await ended;
    expect(hasWitness(), said).toBe(true);
    expect(existsSync(inProject("edited"))).toBe(true);
    expect(told()).toContain("changed the arguments of this call");
  });

  test("a rejected call does not run, and the model reads the person's words", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, asks, await codingHttp(stage));
    await decideApproval(approverActor(stage), await newest(), { decision: "reject", comment: "Not on a Friday." });
    const said = await ended;
    expect(hasWitness(), said).toBe(false);
    expect(told()).toContain("Not on a Friday.");
  });

  test("without Handrail nothing runs", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    await place.stop();
    const { ended } = await play(client, "touch witness", place);
    const said = await ended;
    expect(hasWitness(), said).toBe(false);
  });

  test("a call that nobody decides is denied before the client gives up", { timeout: minutes }, async () => {
    const { ended, told } = await play(client, asks, await codingHttp(stage), 120);
    const card = await newest();
    await db()
      .update(approvals)
      .set({ expiresAt: new Date(Date.now() - 1_000) })
      .where(eq(approvals.id, card));
    await expireApproval(card);
    const said = await ended;
    expect(hasWitness(), said).toBe(false);
    expect(told()).toMatch(/nobody|No one|in time|expired/i);
  });

  test("Handrail restarts while a person decides: one card, and one run", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const { ended } = await play(client, "echo x >> witness && cat /etc/passwd > /dev/null", place);
    const card = await newest();
    await place.stop();
    const again = await codingHttp(stage, place.port);
    expect(again.port).toBe(place.port);
    await decideApproval(approverActor(stage), card, { decision: "approve", comment: "" });
    const said = await ended;
    expect(existsSync(inProject("witness")), said).toBe(true);
    expect(readFileSync(inProject("witness"), "utf8")).toBe("x\n");
    expect(await db().$count(approvals, eq(approvals.workspaceId, stage.built.workspace.id))).toBe(1);
  });

  test("Handrail is killed while the call waits, and stays away: nothing runs", { timeout: minutes }, async () => {
    const place = await codingHttp(stage);
    const { ended } = await play(client, asks, place, 75);
    await newest();
    await place.stop();
    const said = await ended;
    expect(hasWitness(), said).toBe(false);
  });

  test("a secret in the result does not reach the model", { timeout: minutes }, async () => {
    const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const { ended, told } = await play(client, `printf 'token %s%s' ghp_ ${secret.slice(4)}`, await codingHttp(stage));
    const said = await ended;
    expect(told(), said).toContain("token");
    expect(told()).not.toContain(`token ${secret}`);
  });
});

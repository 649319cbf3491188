import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { TriedPattern } from "@/contracts/approvals/approvals";
import { toolCalls } from "@/db/schema";
import { proposeGrants } from "@/server/approvals/grants/propose-grants";
import { tryPattern } from "@/server/approvals/grants/try-pattern";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { onlyApproval, submitCalls, useStage } from "@/server/testing/stage";

const stage = useStage();
const reader = () => authorize(stage.built.admin, "approvals:read");

beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
});

async function askFor(command: string): Promise<string> {
  return (await onlyApproval((await submitCalls(stage, [["shell_execute", { command }]])).id)).id;
}

/** Records a call that passes, and copies of its row. */
async function recordMore(command: string, copies: number): Promise<void> {
  const turn = await submitCalls(stage, [["shell_execute", { command }]]);
  const [row] = await db().select().from(toolCalls).where(eq(toolCalls.turnId, turn.id));
  if (!row) throw new Error("The call was not recorded");
  await db()
    .insert(toolCalls)
    .values(Array.from({ length: copies }, (_, at) => ({ ...row, id: newId(), position: at + 1 })));
}

const tryOn = (id: string, pattern: string): Promise<TriedPattern> => tryPattern(reader(), id, { pattern });

describe("a pattern for a grant", () => {
  test("is counted on the calls on which its proposal is counted", async () => {
    for (let at = 0; at < 3; at += 1) await askFor("git push origin main");
    await recordMore("echo 1", 55);
    const id = await askFor("git push origin next");
    const { proposals, examined } = await proposeGrants(reader(), id);
    const patterns = proposals.flatMap(({ match, covers }) => (match.kind === "pattern" ? [{ match, covers }] : []));
    expect(patterns.length).toBeGreaterThan(0);
    for (const { match, covers } of patterns) {
      const { pattern, reach } = match;
      const tried = await tryPattern(reader(), id, { pattern, ...(reach ? { reach } : {}) });
      expect(tried).toMatchObject({ covers, examined, whyNotCovered: null, warnings: [], instead: null });
    }
    expect(patterns[0]?.covers).toBe(4);
    expect(examined).toBe(60);
  });

  test("that ends within a word of the call names the closed pattern that covers the call", async () => {
    const id = await askFor("git push origin main");
    const tried = await tryOn(id, "^git pus");
    expect(tried).toMatchObject({ covers: 0, examined: 1, instead: "^git push origin(?: |$)" });
    expect(tried.whyNotCovered).toContain("only in a part of a word, `git pus`");
    expect(await tryOn(id, "^git push")).toMatchObject({
      whyNotCovered: null,
      covers: 1,
      warnings: [{ kind: "open_pattern" }],
      instead: "^git push(?: |$)",
      calls: [{ seen: "git push origin main" }],
    });
  });

  test("for every use of a program of the machine is called the machine's root", async () => {
    const id = await askFor("docker compose up -d");
    const [warning] = (await tryOn(id, "^docker(?: |$)")).warnings;
    expect(warning?.message).toContain("This is the machine's root.");
    expect((await tryOn(id, "^docker compose up(?: |$)")).warnings).toEqual([]);
  });

  test("that cannot be used says where it is wrong", async () => {
    expect(await tryOn(await askFor("git push origin main"), "^(git")).toMatchObject({
      patternError: { message: expect.any(String) },
      covers: 0,
    });
  });

  test("spells out no secret of a call", async () => {
    const id = await askFor("curl -X POST https://api.example.com/x -H 'Authorization: Bearer abcdefghijklmnop0123456789'");
    const [right, wrong] = [await tryOn(id, "^curl .*Bearer abcdef"), await tryOn(id, "^curl .*Bearer zzzzzz")];
    expect(right.whyNotCovered).toContain("does not match the pattern");
    const { whyNotCovered, covers, calls } = right;
    expect({ whyNotCovered, covers, calls }).toEqual({ whyNotCovered: wrong.whyNotCovered, covers: wrong.covers, calls: wrong.calls });
  });

  test("shows calls only to people who may see them, and nothing to strangers", async () => {
    const id = await askFor("git push origin main");
    const approver = authorize({ ...stage.built.approver, permissions: new Set(["approvals:read"] as const) }, "approvals:read");
    expect(await tryPattern(approver, id, { pattern: "^git push(?: |$)" })).toMatchObject({ covers: 1, calls: [] });
    const stranger = authorize((await buildWorkspace()).approver, "approvals:read");
    await expect(tryPattern(stranger, id, { pattern: "^git" })).rejects.toMatchObject({ code: "not_found" });
  });
});

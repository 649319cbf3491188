import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { getApproval } from "@/server/approvals/get-approval";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { anyHost } from "@/server/guard/effects/hosts-reached";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { decideWithEdits } from "../answers/decide-with-edits";
import { waitForTurn } from "../read/wait-for-turn";

const stage = useStage();
beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
  const rule = { name: "Ask about commands", tool: "shell_execute", verdict: "require_approval", reason: "Commands are asked about." };
  await createRule(authorize(stage.built.admin, "guard:write"), GuardRuleDraft.parse(rule));
});

const put = (file: string, text: string) => {
  const folder = workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
  return path.join(folder, file);
};
const shell = (command: string, more: JsonObject = {}) => submitCalls(stage, [["shell_execute", { command, ...more }]], { wait: 20 });
const answer = (id: string, more: object = {}) => decideWithEdits(approverActor(stage), id, { decision: "approve", comment: "", ...more });
const latestOf = async (turnId: string) => {
  const rows = await db().select().from(approvals).where(eq(approvals.turnId, turnId)).orderBy(approvals.id);
  return rows.at(-1) as (typeof rows)[number];
};

describe("an approval of a command that runs files", () => {
  test("is refused once a file changed, names it, and the call is asked anew and runs after a new approval", async () => {
    put("deploy.sh", "echo harmless");
    const asked = await shell("sh deploy.sh");
    const first = await onlyApproval(asked.id);
    expect((await getApproval(approverActor(stage), first.id)).contents).toEqual({
      files: [{ path: "deploy.sh", as: "runs" }],
      notFixed: [],
    });
    put("deploy.sh", "echo other");
    const suspendedAgain = waitForTurn(asked.id, 20, neverAborted);
    await expect(answer(first.id)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("deploy.sh changed since it was asked"),
    });
    expect((await suspendedAgain).status).toBe("suspended");
    const second = await latestOf(asked.id);
    expect(second).toMatchObject({ status: "pending", drift: ["deploy.sh changed since it was asked."] });
    expect((await db().select().from(approvals).where(eq(approvals.id, first.id)))[0]).toMatchObject({
      status: "void",
      decidedBy: { type: "system" },
    });

    const done = waitForTurn(asked.id, 20, neverAborted);
    await answer(second.id);
    expect((await done).calls[0]?.content).toContain("other");
  });

  test("does not hold when a file changes between the decision and the run", async () => {
    put("deploy.sh", "echo harmless");
    const asked = await shell("sh deploy.sh");
    put("deploy.sh", "echo other");
    const waiting = waitForTurn(asked.id, 20, neverAborted);
    // Past the check of the decision, as a change in the moment after it would be.
    await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "approve", comment: "" });
    expect((await waiting).status).toBe("suspended");
    expect(await latestOf(asked.id)).toMatchObject({ status: "pending", drift: ["deploy.sh changed since it was asked."] });
  });

  test("holds while files that it does not run change, and counts files that calls before it wrote", async () => {
    const asked = await submitCalls(
      stage,
      [
        ["write_file", { path: "deploy.sh", content: "echo written" }],
        ["shell_execute", { command: "sh deploy.sh" }],
      ],
      { wait: 20 },
    );
    expect(statuses(asked)).toEqual(["succeeded", "awaiting_approval"]);
    put("notes.txt", "unrelated");
    const done = waitForTurn(asked.id, 20, neverAborted);
    await answer((await onlyApproval(asked.id)).id);
    expect((await done).calls[1]?.content).toContain("written");
  });

  test("does not hold when a file that it runs appears or goes away", async () => {
    const gone = put("package.json", "{}");
    const asked = await shell("npm test; sh late.sh");
    rmSync(gone);
    put("late.sh", "echo late");
    await expect(answer((await onlyApproval(asked.id)).id)).rejects.toMatchObject({
      message: expect.stringMatching(/package\.json was removed since it was asked\. late\.sh was added since it was asked\./),
    });
  });

  test("holds, after an edit, for the files of the changed command", async () => {
    put("one.sh", "echo one");
    put("two.sh", "echo two");
    const asked = await shell("sh one.sh");
    const first = await onlyApproval(asked.id);
    await answer(first.id, { arguments: { command: "sh two.sh" } });
    expect((await latestOf(asked.id)).contents?.files.map((file) => file.path)).toEqual(["two.sh"]);
  });

  test("a rejection needs no unchanged files", async () => {
    put("deploy.sh", "echo harmless");
    const asked = await shell("sh deploy.sh");
    put("deploy.sh", "echo other");
    const done = waitForTurn(asked.id, 20, neverAborted);
    await decideWithEdits(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "no" });
    expect(statuses(await done)).toEqual(["rejected"]);
  });
});

describe("a grant made from a card", () => {
  const remember = async (turnId: string, match: object | "exact" = "exact") => {
    const done = waitForTurn(turnId, 20, neverAborted);
    await answer((await onlyApproval(turnId)).id, { remember: { scope: "conversation", match, note: "" } });
    await done;
  };

  test("for exactly these arguments holds while the files stay as they were", async () => {
    put("deploy.sh", "echo harmless");
    await remember((await shell("sh deploy.sh")).id);
    expect(statuses(await shell("sh deploy.sh"))).toEqual(["succeeded"]);
    put("deploy.sh", "echo other");
    const asked = await shell("sh deploy.sh");
    expect(statuses(asked)).toEqual(["awaiting_approval"]);
    const { decision } = await onlyApproval(asked.id);
    expect(decision.trace.map(({ why }) => why).join(" ")).toContain("deploy.sh changed since it was asked.");
  });

  test("for a pattern that stays in the sandbox holds whatever the files say", async () => {
    put("deploy.sh", "echo harmless");
    await remember((await shell("sh deploy.sh")).id, { kind: "pattern", parameter: null, pattern: "^sh deploy\\.sh$" });
    put("deploy.sh", "echo other");
    expect(statuses(await shell("sh deploy.sh"))).toEqual(["succeeded"]);
  });

  test("for a pattern whose calls use the machine covers no other contents", async () => {
    put("compose.yaml", "services: {}");
    const asked = await shell("docker compose up -d");
    const match = { kind: "pattern", parameter: null, pattern: "^docker compose up(?: |$)", reach: { hosts: [], machine: true } };
    await remember(asked.id, match);
    put("compose.yaml", "services: { evil: {} }");
    expect(statuses(await shell("docker compose up"))).toEqual(["awaiting_approval"]);
  });

  test.each(["exact", "pattern"])("of a push to a remote (%s) holds while the remote leads where it did", async (kind) => {
    const remote = (url: string) => put(".git/config", `[remote "origin"]\n\turl = ${url}\n[branch "main"]\n\tremote = origin\n`);
    remote("https://example.com/a.git");
    const pattern = { kind: "pattern", parameter: null, pattern: "^git push origin main$", reach: { hosts: [anyHost], machine: false } };
    await remember((await shell("git push origin main")).id, kind === "exact" ? kind : pattern);
    // It runs unasked, and fails where there is no network.
    expect(statuses(await shell("git push origin main"))).toEqual(["failed"]);
    remote("https://example.org/b.git");
    const asked = await shell("git push origin main");
    expect(statuses(asked)).toEqual(["awaiting_approval"]);
    const { decision } = await onlyApproval(asked.id);
    expect(decision.trace.map(({ why }) => why).join(" ")).toContain(".git/config (remotes) changed since");
  });

  test("is not made for a call that uses the machine with files that may change", async () => {
    const asked = await shell('docker compose -f "$FILE" up');
    const made = answer((await onlyApproval(asked.id)).id, { remember: { scope: "conversation", match: "exact", note: "" } });
    await expect(made).rejects.toMatchObject({ code: "forbidden", message: expect.stringContaining("$FILE") });
  });
});

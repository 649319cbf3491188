import { eq, sql } from "drizzle-orm";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@/contracts/common";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { approvals, conversations, grants, jobs, toolCalls, turns } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { listGrants } from "@/server/approvals/grants/list-grants";
import { listApprovals } from "@/server/approvals/list-approvals";
import { listAuditEvents } from "@/server/audit-log/list-audit-events";
import { requirePermission } from "@/server/auth/actor";
import { db } from "@/server/platform/database/database";
import { newId } from "@/server/platform/ids";
import { maskLog } from "@/server/platform/log";
import { createRule } from "@/server/policy/rules/create-rule";
import { simulate } from "@/server/policy/simulation/simulate";
import { maskInText } from "@/server/secrets/mask-secrets";
import type { secretKinds } from "@/server/secrets/secret-shape";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { buildTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { waitForActiveTurns } from "./active-turns";
import { listRecentTurns } from "./read/list-recent-turns";
import { waitForTurn } from "./read/wait-for-turn";
import { recoverTurns } from "./recovery/recover-turns";

process.env.HANDRAIL_LOG_LEVEL = "trace";
const lines: string[] = [];
vi.spyOn(process.stdout, "write").mockImplementation((line) => {
  lines.push(String(line));
  return true;
});
maskLog(maskInText);

const stage = useStage();

const random = "q7Zr2Kp9Xw4Lm8Vt3Bn6Yc1Hd5Jf0Gs";
/** A secret of each kind, put together here so that nobody takes this file for a leak. */
const secrets: Record<(typeof secretKinds)[number] | "private_key", { secret: string; text: string }> = {
  aws_key: bare(`AKIA${"Q7ZR2KP9XW4LM8VT"}`),
  github_token: bare(`ghp_${random}aB12cD`),
  slack_token: bare(`xoxb-${random}`),
  stripe_key: bare(`sk_live_${random}`),
  google_key: bare(`AIza${random}abcd`),
  model_key: bare(`sk-${random}`),
  service_token: bare(`glpat-${random}`),
  jwt: bare(`eyJ${random}.${random}.${random}`),
  bearer: { secret: `${random}x`, text: `curl -H "Authorization: Bearer ${random}x"` },
  url_password: { secret: `pw${random}`, text: `postgres://app:pw${random}@db.example/main` },
  password: { secret: "Tr0ub4dor-and-3", text: "login --password=Tr0ub4dor-and-3" },
  high_entropy: { secret: `${random}Zz`, text: `SESSION=${random}Zz` },
  private_key: {
    secret: `MII${random}${random}`,
    text: `-----BEGIN ${"RSA"} PRIVATE KEY-----\nMII${random}${random}\n-----END RSA PRIVATE KEY-----`,
  },
};

function bare(secret: string) {
  return { secret, text: `use ${secret} for it` };
}

const everyKind = Object.keys(secrets) as (keyof typeof secrets)[];

/** Texts that the tool "keep" received, in order. */
let kept: string[] = [];

beforeEach(async () => {
  kept = [];
  lines.length = 0;
  const common = { family: "probe", tier: "core", needs: [], input: z.object({ text: z.string().max(2_000) }) } as const;
  const keep = async ({ text }: { text: string }) => {
    kept.push(text);
    return "kept";
  };
  await buildTools(
    stage.built.workspace.id,
    [
      defineTool({ ...common, name: "keep", title: "Keep", description: "Keeps", effect: "write", execute: keep }),
      defineTool({
        ...common,
        name: "peek",
        title: "Peek",
        description: "Reads",
        effect: "read",
        running: { backgroundable: true },
        execute: keep,
      }),
      defineTool({
        ...common,
        name: "burst",
        title: "Burst",
        description: "Fails",
        effect: "read",
        execute: async ({ text }) => {
          throw new Error(`cannot use ${text}`);
        },
      }),
    ],
    { alias: "vault" },
  );
});

const rule = (settings: Partial<GuardRuleDraft> & Pick<GuardRuleDraft, "tool" | "verdict">) =>
  createRule(requirePermission(stage.built.admin, "guard:write"), GuardRuleDraft.parse({ name: "A rule", ...settings }));
const relaxed = { relaxes: everyKind.map((kind) => `credential.${kind}`) };
const reader = () => ({ ...stage.built.admin, permissions: new Set([...stage.built.admin.permissions]) }) as typeof stage.built.admin;

/** Returns all tables of the database, each as JSON. */
async function wholeDatabase(): Promise<Map<string, string>> {
  const tables = await db().execute<{ name: string }>(
    sql`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
        where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  );
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await db().execute<{ row: unknown }>(sql.raw(`select to_jsonb(t) as row from ${name} as t`));
    dump.set(name, JSON.stringify(rows.map(({ row }) => row)));
  }
  return dump;
}

/** Fails for each place that holds one of the secrets as it was sent. */
async function expectNowhere(...places: [name: string, content: unknown][]): Promise<void> {
  const everything = new Map<string, string>([
    ...(await wholeDatabase()),
    ...places.map(([name, content]) => [name, JSON.stringify(content)] as const),
  ]);
  expect(everything.size).toBeGreaterThan(20);
  const found = [...everything].flatMap(([place, text]) =>
    everyKind.filter((kind) => text.includes(secrets[kind].secret)).map((kind) => `${kind} in ${place}`),
  );
  expect(found).toEqual([]);
}

async function everyAnswer() {
  const admin = reader();
  return [
    ["approvals", await listApprovals(requirePermission(admin, "approvals:read"), { limit: 200 })],
    ["grants", await listGrants(requirePermission(admin, "approvals:read"), {})],
    ["audit", await listAuditEvents(requirePermission(admin, "audit:read"), { limit: 200 })],
    ["turns", await listRecentTurns(requirePermission(admin, "turns:read"), { limit: 50 })],
    ["simulation", await simulate(requirePermission(admin, "guard:read"), { over: { days: 1 } })],
    ["log", lines],
  ] satisfies [string, unknown][];
}

const callsWith = (name: string) => everyKind.map((kind) => [name, { text: secrets[kind].text }] as [string, JsonObject]);
const halves = (name: string) => [callsWith(name).slice(0, 7), callsWith(name).slice(7)];

describe("a secret in a call stands nowhere as it was sent", () => {
  test("when the call is denied", async () => {
    await rule({ tool: "keep", verdict: "deny" });
    for (const calls of halves("keep")) {
      const turn = await submitCalls(stage, calls);
      expect(new Set(statuses(turn))).toEqual(new Set(["denied"]));
      await expectNowhere(["turn", turn], ...(await everyAnswer()));
    }
    expect(kept).toEqual([]);
  });

  test("when it ran, and it ran with the secret", async () => {
    await rule({ tool: "keep", verdict: "allow", ...relaxed });
    for (const calls of halves("keep")) {
      const turn = await submitCalls(stage, calls);
      expect(new Set(statuses(turn))).toEqual(new Set(["succeeded"]));
      await expectNowhere(["turn", turn], ...(await everyAnswer()));
    }
    expect(kept).toEqual(everyKind.map((kind) => secrets[kind].text));
    const rows = await db().select().from(toolCalls);
    expect(rows.filter(({ sealedArguments }) => sealedArguments !== null)).toEqual([]);
  });

  test("when the arguments are text, also text that is not JSON, and when they do not fit", async () => {
    await rule({ tool: "*", verdict: "allow", ...relaxed });
    for (const kind of everyKind) {
      const { text } = secrets[kind];
      const turn = await submitCalls(stage, [
        ["peek", JSON.stringify({ text })],
        ["peek", `{"text": ${JSON.stringify(text)}`],
        ["peek", { other: text }],
        ["peek", { text: [text] }],
        ["no_such_tool", { text }],
        ["burst", { text: `${text} ` }],
      ]);
      expect(statuses(turn)).toEqual(["succeeded", "failed", "failed", "failed", "failed", "failed"]);
    }
    expect(kept).toEqual(everyKind.map((kind) => secrets[kind].text));
    await db().update(toolCalls).set({ content: "" }).where(eq(toolCalls.name, "burst"));
    await expectNowhere(["log", lines]);
  });

  test("while a person is asked, after an approval and after a rejection", async () => {
    await rule({ tool: "keep", verdict: "require_approval", ...relaxed });
    const asked = await Promise.all(callsWith("keep").map((call) => submitCalls(stage, [call], { wait: 1 })));
    expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(["suspended"]));
    await expectNowhere(["turns", asked], ...(await everyAnswer()));
    const waiting = await db().select().from(toolCalls).where(eq(toolCalls.status, "awaiting_approval"));
    expect(waiting.filter(({ sealedArguments }) => sealedArguments?.startsWith("v1."))).toHaveLength(everyKind.length);
    for (const [place, { id }] of asked.entries()) {
      const decision = place % 2 === 0 ? "approve" : "reject";
      await decideApproval(approverActor(stage), (await onlyApproval(id)).id, { decision, comment: "" });
      const done = await vi.waitFor(async () => {
        const turn = await waitForTurn(id, 5, neverAborted);
        expect(turn.status).toBe("completed");
        return turn;
      });
      expect(statuses(done)).toEqual([decision === "approve" ? "succeeded" : "rejected"]);
    }
    await waitForActiveTurns();
    expect(kept).toEqual(everyKind.filter((_, place) => place % 2 === 0).map((kind) => secrets[kind].text));
    await expectNowhere(...(await everyAnswer()));
    expect((await db().select().from(toolCalls)).filter(({ sealedArguments }) => sealedArguments !== null)).toEqual([]);
  });

  test("under a name that says what it is", async () => {
    await rule({ tool: "*", verdict: "allow", ...relaxed });
    await submitCalls(stage, [
      ["peek", { text: "x", password: secrets.password.secret, nested: [{ apiKey: secrets.github_token.secret }] }],
    ]);
    await expectNowhere(...(await everyAnswer()));
  });
});

test("a call with a secret that is approved in advance is known again by its digest, and no other is", async () => {
  await rule({ tool: "keep", verdict: "require_approval", ...relaxed });
  const { text } = secrets.github_token;
  const turn = await submitCalls(stage, [["keep", { text }]], { wait: 0.5 });
  const remember = { scope: "conversation", match: "exact", note: "" } as const;
  await decideApproval(approverActor(stage), (await onlyApproval(turn.id)).id, { decision: "approve", comment: "", remember });
  await expect.poll(async () => (await waitForTurn(turn.id, 5, neverAborted)).status).toBe("completed");
  const [grant] = await db().select().from(grants);
  expect(grant?.match).toMatchObject({ kind: "exact", digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const answers = await everyAnswer();
  expect(JSON.stringify(answers.find(([name]) => name === "grants"))).not.toContain('"digest"');
  await expectNowhere(...answers);
  expect(statuses(await submitCalls(stage, [["keep", { text }]]))).toEqual(["succeeded"]);
  const other = await submitCalls(stage, [["keep", { text: maskInText(text) }]], { wait: 0.5 });
  expect(other.status).toBe("suspended");
});

test("a refused call with a secret is known again, and what is remembered of it holds no secret", async () => {
  await rule({ tool: "keep", verdict: "require_approval" });
  await rule({ tool: "peek", verdict: "allow", ...relaxed });
  const where = `backup/token=${random}Qq`;
  const asked = await submitCalls(stage, [["keep", { text: where }]]);
  await decideApproval(approverActor(stage), (await onlyApproval(asked.id)).id, { decision: "reject", comment: "" });
  await expect.poll(async () => statuses(await waitForTurn(asked.id, 5, neverAborted))).toEqual(["rejected"]);
  for (const [table, text] of await wholeDatabase()) expect(text.includes(`${random}Qq`), table).toBe(false);
  const again = await submitCalls(stage, [["keep", { text: where }]]);
  expect((await onlyApproval(again.id)).decision.reason).toContain("this is the same call again");
});

test("a background job runs with the secret and keeps it sealed until it has run", async () => {
  await rule({ tool: "peek", verdict: "allow", ...relaxed });
  const { text } = secrets.stripe_key;
  await submitCalls(stage, [["peek", { text, runInBackground: true }]]);
  await vi.waitFor(async () => expect((await db().select().from(jobs)).map(({ status }) => status)).toEqual(["succeeded"]));
  expect(kept).toEqual([text]);
  expect((await db().select().from(jobs))[0]?.sealedArguments).toBeNull();
  await expectNowhere(...(await everyAnswer()));
});

test("a call whose replica died runs again with the secret, and one that was sealed with another key does not run", async () => {
  await rule({ tool: "*", verdict: "require_approval", ...relaxed });
  const { text } = secrets.jwt;
  const suspended = await submitCalls(stage, [["peek", { text }]], { wait: 0.5 });
  const [row] = await db().select().from(toolCalls).where(eq(toolCalls.turnId, suspended.id));
  if (!row) throw new Error("no call");
  const unreadable = await submitCalls(stage, [["peek", { text: `${text} ` }]], { wait: 0.5 });
  await db().update(toolCalls).set({ sealedArguments: "v1.AAAA.AAAA" }).where(eq(toolCalls.turnId, unreadable.id));
  await decideApproval(approverActor(stage), (await onlyApproval(unreadable.id)).id, { decision: "approve", comment: "" });
  await expect.poll(async () => statuses(await waitForTurn(unreadable.id, 5, neverAborted))).toEqual(["failed"]);
  expect((await waitForTurn(unreadable.id, 5, neverAborted)).calls[0]?.content).toContain("sealed with another HANDRAIL_SECRET_KEY");
  expect(kept).toEqual([]);

  await db().update(approvals).set({ status: "approved" }).where(eq(approvals.turnId, suspended.id));
  await db().update(toolCalls).set({ status: "running", startedBy: newId(), startedAt: new Date() }).where(eq(toolCalls.id, row.id));
  await db().update(turns).set({ status: "running", claimedBy: newId() }).where(eq(turns.id, suspended.id));
  await recoverTurns();
  await expect.poll(async () => statuses(await waitForTurn(suspended.id, 20, neverAborted))).toEqual(["succeeded"]);
  expect(kept).toEqual([text]);
  await expectNowhere(...(await everyAnswer()));
});

test("the password of an address in a refused call does not stand in what the conversation remembers", async () => {
  const query = defineTool({
    name: "run_query",
    title: "Query",
    description: "Asks a database",
    family: "probe",
    tier: "core",
    effect: "write",
    needs: [],
    input: z.object({ path: z.string() }),
    execute: async () => "done",
  });
  await buildTools(stage.built.workspace.id, [query], { alias: "databases" });
  await createRule(
    requirePermission(stage.built.admin, "guard:write"),
    GuardRuleDraft.parse({ name: "No", tool: "run_query", verdict: "deny", reason: "Not today." }),
  );
  const password = "Kq7Zr2Kp9";
  const turn = await submitCalls(stage, [["run_query", { path: `postgres://ada:${password}@db.example.com/shop` }]]);
  expect(statuses(turn)).toEqual(["denied"]);
  const [row] = await db().select().from(conversations).where(eq(conversations.id, stage.conversationId));
  expect(row?.refusals?.[0]?.touches).not.toEqual([]);
  expect(JSON.stringify(row)).not.toContain(password);
});

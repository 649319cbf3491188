import { setTimeout as wait } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { approvals } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { approverActor, neverAborted, runtimeActor, type Stage, submitCalls, useStage } from "@/server/testing/stage";
import { replaceTools } from "@/server/testing/test-tools";
import { defineTool } from "@/server/tools/define-tool";
import { cancelTurn } from "../cancel-turn";
import { waitForTurn } from "../read/wait-for-turn";

const stage = useStage();

/** A direct tool that asks two questions at once, and has little time of its own. */
const asks = ({ log }: Stage) =>
  defineTool({
    name: "asks_directly",
    title: "Asks directly",
    description: "Asks while it runs",
    family: "probe",
    tier: "core",
    effect: "read",
    needs: [],
    timeoutMs: 700,
    input: z.object({}),
    async execute(_nothing, { ask }) {
      log.push("asked");
      const answers = await Promise.all([
        ask?.({ text: "Which key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789abcdef?", options: ["a"] }),
        ask?.({ text: "Open it", url: "https://login.example.com/?state=1" }),
      ]);
      return answers.join(" and ");
    },
  });

/** A direct tool that ends while its question is open, as the wrong one of two calls to an MCP server does. */
const endsFirst = ({ log }: Stage) =>
  defineTool({
    ...{ name: "ends_first", title: "Ends first", description: "Ends before the answer", family: "probe" },
    ...{ tier: "core", effect: "read", needs: [], input: z.object({}) },
    async execute(_nothing, { ask }) {
      void ask?.({ text: "Which year?" }).catch((error: Error) => log.push(error.message));
      await vi.waitFor(async () => expect(await db().$count(approvals, eq(approvals.status, "pending"))).toBe(1));
      return "ended";
    },
  });

/** A direct tool that ends while its question is written: the table is locked until after the call's end. */
const endsWhileAsking = ({ log }: Stage) =>
  defineTool({
    ...{ name: "ends_while_asking", title: "Ends while asking", description: "Ends before the question is stored", family: "probe" },
    ...{ tier: "core", effect: "read", needs: [], input: z.object({}) },
    execute: (_nothing, { ask }) =>
      new Promise<string>((end) => {
        const locking = db().transaction(async (tx) => {
          await tx.execute(sql`lock table approvals in share mode`);
          void ask?.({ text: "Which year?" }).catch((error: Error) => log.push(error.message));
          const waiting = sql`select 1 from pg_locks where not granted and relation = 'approvals'::regclass`;
          await vi.waitFor(async () => expect(await tx.execute(waiting)).toHaveLength(1));
          end("ended");
          // The end aborts the question in steps without a wait, so before this.
          await new Promise((resolve) => setImmediate(resolve));
        });
        locking.catch((error: Error) => log.push(error.message));
      }),
  });

beforeEach(async () => {
  await replaceTools(stage.built.workspace.id, stage.serverId, [asks(stage), endsFirst(stage), endsWhileAsking(stage)]);
});

const openQuestion = (turnId: string, number: number) =>
  vi.waitFor(async () => {
    const rows = await db().select().from(approvals).where(eq(approvals.turnId, turnId));
    const open = rows.find(({ status, question }) => status === "pending" && question?.number === number);
    if (!open) throw new Error("not asked yet");
    return open;
  });
const answer = (text: string) => ({ decision: "approve", answer: text, comment: "" }) as const;

test("a direct tool asks one question after the other, and the wait for a person does not count as its time", async () => {
  const asked = await submitCalls(stage, [["asks_directly"]], { wait: 0.2 });
  const first = await openQuestion(asked.id, 0);
  expect(first.question?.text).not.toContain("sk-ant-api03-abcdefghijklmnopqrstuvwxyz");
  await wait(900);
  const waiting = waitForTurn(asked.id, 20, neverAborted);
  await decideApproval(approverActor(stage), first.id, answer("one"));
  const second = await openQuestion(asked.id, 1);
  expect(second.question?.url).toBe("https://login.example.com/?state=1");
  expect(await decideApproval(approverActor(stage), second.id, answer("Done"))).toMatchObject({
    question: { url: "https://login.example.com/?state=1", answer: "Done" },
  });
  expect((await waiting).calls[0]).toMatchObject({ status: "succeeded", content: "one and Done" });
});

test("a declined question is an error for the tool, and a cancelled turn takes its question back", async () => {
  const declined = await submitCalls(stage, [["asks_directly"]], { wait: 0.2 });
  const waiting = waitForTurn(declined.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await openQuestion(declined.id, 0)).id, { decision: "reject", comment: "no" });
  expect((await waiting).calls[0]).toMatchObject({
    status: "failed",
    content: expect.stringContaining("The person declined to answer: no"),
  });
  const cancelled = await submitCalls(stage, [["asks_directly"]], { wait: 0.2 });
  const { id } = await openQuestion(cancelled.id, 0);
  await cancelTurn(runtimeActor(stage), cancelled.id, neverAborted);
  await vi.waitFor(async () => {
    const [row] = await db().select().from(approvals).where(eq(approvals.id, id));
    expect(row?.status).toBe("cancelled");
  });
});

test.for(["ends_first", "ends_while_asking"])(
  "of %s: a question that is open when its call ends is taken back, because nobody would use its answer",
  async (tool) => {
    const ended = await submitCalls(stage, [[tool]]);
    expect(ended.calls[0]).toMatchObject({ status: "succeeded", content: "ended" });
    await vi.waitFor(async () => {
      const [row] = await db().select().from(approvals).where(eq(approvals.turnId, ended.id));
      expect(row?.status).toBe("cancelled");
    });
    await vi.waitFor(() => expect(stage.log).toContain("the call has ended"));
  },
);

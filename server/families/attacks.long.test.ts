import { mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { strToU8, zipSync } from "fflate";
import { afterAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { DataSourceDraft } from "@/contracts/tools/data-sources";
import { auditEvents } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { db } from "@/server/platform/database/database";
import { env } from "@/server/platform/env";
import { authorize } from "@/server/testing/builders";
import { builtinTools } from "@/server/testing/builtin-tools";
import { allowByDefault } from "@/server/testing/guard/default-policy";
import { useForeignDatabase } from "@/server/testing/services/foreign-database";
import { approverActor, makeStageFolder, neverAborted, onlyApproval, submitCalls, useStage } from "@/server/testing/stage";
import { syncTools } from "@/server/tools/sync-tools";
import { waitForTurn } from "@/server/turns/read/wait-for-turn";
import { closeConnections } from "./data-sources/connections";
import { dataSources } from "./data-sources/data-sources";

const stage = useStage();
const shop = useForeignDatabase((sql) =>
  sql.unsafe(
    "create table orders (id int); insert into orders values (1); create function wipe() returns int language sql volatile as 'select 1'",
  ),
);
type Turn = Awaited<ReturnType<typeof submitCalls>>;
let folder = "";
const secret = "a line that nobody may see";

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  const tools = builtinTools.map((tool) => ({ ...tool, defaultTier: "core" as const }));
  await db().transaction((tx) => syncTools(tx, { workspaceId, mcpServerId: null }, tools));
  // The policy allows everything, so that the barrier behind it has to hold.
  await allowByDefault(workspaceId);
  const { superuser: _superuser, ...server } = shop;
  await dataSources.create({
    actor: authorize(stage.built.admin, "data:write"),
    body: DataSourceDraft.parse({ name: "shop", kind: "postgresql", description: "Orders", ...server }),
  });
  folder = await makeStageFolder(stage);
  writeFileSync(outside(), secret);
});
afterAll(async () => {
  await closeConnections();
  await endConversationNetworks();
  rmSync(outside(), { force: true });
});

const outside = () => path.join(env().workspaceRoot, "outside.txt");
const put = (name: string, bytes: Uint8Array) => writeFileSync(path.join(folder, name), bytes);
const word = (xml: string) => zipSync({ "word/document.xml": strToU8(xml) }, { level: 9 });

type Attack = { name: string; tool: string; args: () => JsonObject; says: RegExp };
const attacks: Attack[] = [
  { name: "a path that goes up", tool: "read_file", args: () => ({ path: "../../../outside.txt" }), says: /outside|leaves|workspace/i },
  {
    name: "a link that leads out, read",
    tool: "read_file",
    args: () => {
      symlinkSync(outside(), path.join(folder, "link"));
      return { path: "link" };
    },
    says: /outside|leaves|workspace/i,
  },
  {
    name: "a folder that is a link, written through",
    tool: "write_file",
    args: () => {
      symlinkSync(path.dirname(outside()), path.join(folder, "folder"));
      return { path: "folder/outside.txt", content: "theirs" };
    },
    says: /outside|leaves|workspace/i,
  },
  {
    name: "an archive bomb",
    tool: "extract_document",
    args: () => {
      put("bomb.docx", word(`<w:p><w:t>${"a".repeat(16 * 1_048_576)}</w:t></w:p>`));
      return { path: "bomb.docx" };
    },
    says: /archive bomb/,
  },
  {
    name: "an XML bomb",
    tool: "extract_document",
    args: () => {
      put("xml.docx", word('<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:p>&b;</w:p>'));
      return { path: "xml.docx" };
    },
    says: /document type/,
  },
  {
    name: "the metadata service of a cloud",
    tool: "url_fetch",
    args: () => ({ url: "http://169.254.169.254/latest/" }),
    says: /credentials/,
  },
  { name: "this machine as a number", tool: "url_fetch", args: () => ({ url: "http://2130706433/" }), says: /private|address/i },
  { name: "this machine in IPv6", tool: "url_fetch", args: () => ({ url: "http://[::ffff:127.0.0.1]:5432/" }), says: /private|address/i },
  {
    name: "a write in a CTE",
    tool: "sql_query",
    args: () => ({ dataSource: "shop", sql: "with gone as (delete from orders returning id) select * from gone" }),
    says: /read/i,
  },
  {
    name: "a function that may write",
    tool: "sql_query",
    args: () => ({ dataSource: "shop", sql: "select wipe()" }),
    says: /function|wipe/i,
  },
  {
    name: "a command that reads outside of its box",
    tool: "shell_execute",
    args: () => ({ command: `cat ${outside()}` }),
    says: /No such file|Permission denied|not allowed|outside/i,
  },
  {
    name: "a command that looks for the server's processes",
    tool: "shell_execute",
    args: () => ({ command: `test -e /proc/${process.pid}/environ || { echo "no such process" >&2; exit 1; }` }),
    says: /no such process|cannot be opened/,
  },
  {
    name: "a program that signals the server's process",
    tool: "shell_execute",
    args: () => ({ command: `perl -e 'kill(0, ${process.pid}) or die "not reached: $!\\n"'` }),
    says: /not reached: /,
  },
];

test.each(attacks)("$name is refused with a sentence, and the audit has it", async ({ tool, args, says }) => {
  const turn = await toItsEnd(await submitCalls(stage, [[tool, args()]], { wait: 20 }));
  const [call] = turn.calls;
  expect(call?.isError).toBe(true);
  expect(call?.content).toMatch(says);
  expect(call?.content).not.toContain(secret);
  expect(readFileSync(outside(), "utf8")).toBe(secret);
  const rows = await db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id));
  const [ending] = rows.filter(({ event }) => event === "call.denied" || event === "call.failed");
  expect(ending).toMatchObject({ tool, conversationId: stage.conversationId, callId: expect.any(String) });
  expect(JSON.stringify(ending?.data)).toMatch(says);
});

test("a folder that is swapped for a link while files are written never leads out, and every write is audited", async () => {
  const inside = path.join(folder, "drafts");
  const swap = setInterval(() => {
    try {
      rmSync(inside, { recursive: true, force: true });
      symlinkSync(path.dirname(outside()), inside);
      unlinkSync(inside);
      mkdirSync(inside);
    } catch {
      // A write came in between; the next round swaps again.
    }
  }, 1);
  onTestFinished(() => clearInterval(swap));
  for (let round = 0; round < 8; round += 1) {
    const turn = await submitCalls(stage, [["write_file", { path: "drafts/outside.txt", content: `theirs ${round}`, mode: "append" }]], {
      wait: 20,
    });
    const rows = await db().select().from(auditEvents).where(eq(auditEvents.turnId, turn.id));
    expect(rows.map(({ event }) => event).filter((event) => event !== "call.started")).toEqual([
      expect.stringMatching(/^(?:call\.(?:succeeded|failed|denied)|approval\.requested)$/),
    ]);
  }
  expect(readFileSync(outside(), "utf8")).toBe(secret);
});

/** Approves the calls that the guard asks about, so that the barrier behind it has to hold. */
async function toItsEnd(turn: Turn): Promise<Turn> {
  if (turn.status !== "suspended") return turn;
  const over = waitForTurn(turn.id, 20, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(turn.id)).id, { decision: "approve", comment: "" });
  return (await over) ?? turn;
}

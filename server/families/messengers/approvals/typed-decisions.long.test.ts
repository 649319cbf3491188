import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { agents, approvals, conversations } from "@/db/schema";
import { addNewFile } from "@/server/capabilities/files/add-new-file";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { makeLinkCode } from "@/server/contacts/link-codes";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { connectMessenger } from "@/server/testing/messengers/messenger-stage";
import { people } from "@/server/testing/messengers/platform-people";
import { calling, giveModel, saying, sentTexts, useRunStage } from "@/server/testing/models/run-stage";
import { findMessenger } from "../account";

process.env.HANDRAIL_MESSENGER_ALLOW_PRIVATE = "true";
const stage = useRunStage();

/** A picture, which every platform takes that takes any file from an app. */
const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
/** Places where an app sends no file, and the agent is told so. */
const without = ["LINE", "Google Chat"];

/** Puts a file into the folder of the only conversation that a messenger began. */
async function addPicture(): Promise<void> {
  const [conversation] = await db()
    .select()
    .from(conversations)
    .where(and(eq(conversations.workspaceId, stage.built.workspace.id), eq(conversations.origin, "messenger")));
  const [agent] = await db().select().from(agents).where(eq(agents.id, stage.built.agent.id));
  if (!conversation || !agent) throw new Error("no conversation has begun");
  await addNewFile(workspaceFiles(workspaceFolder(conversation, agent)), "made", { name: "chart.png", bytes: picture });
}

test.each(Object.entries(people))("on %s a call is approved by typing its id, and the answer comes with the file", async (name, meet) => {
  const person = await meet();
  const model = await giveModel(stage, [
    calling(["channel_send_file", { path: "made/chart.png", caption: "The chart" }]),
    saying("That was all of it."),
  ]);
  const { id } = await connectMessenger(stage, { ...person.draft, streams: false, approvals: "all" });
  const until = (text: string | RegExp) => expect.poll(() => person.sent()).toMatch(text);
  await expect.poll(() => readState(id)).toBe("connected");
  const rule = { name: "Files are seen before they go", tool: "channel_send_file", verdict: "require_approval" };
  await createRule(authorize(stage.built.admin, "guard:write"), GuardRuleDraft.parse(rule));
  const { code } = await makeLinkCode(authorize(stage.built.approver, "turns:read"));
  await person.say(id, `/link ${code}`);
  await until("Linked with");
  await person.say(id, "Send me the chart");
  await until(/\/approve [0-9a-f]{6}/);
  await addPicture();
  const short = /\/approve ([0-9a-f]{6})/.exec(person.sent())?.[1];
  await person.say(id, `/approve ${short}`);
  await until("That was all of it");
  await until(/Approved\W+by The approver/);
  const [approval] = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
  expect(approval).toMatchObject({ status: "approved", decidedBy: { type: "user", id: stage.built.approver.id } });
  const result = model.requests[1] ? (sentTexts(model.requests[1]).at(-1) ?? "") : "";
  if (without.includes(name)) expect(result).toContain("takes no files from apps");
  else {
    expect(result).toContain("is on its way");
    await until(/chart\.png/);
  }
});

const readState = async (id: string): Promise<string> => (await findMessenger(id))?.state ?? "";

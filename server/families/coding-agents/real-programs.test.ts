import { existsSync } from "node:fs";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { toolCalls } from "@/db/schema";
import { decideApproval } from "@/server/approvals/decide-approval";
import { db } from "@/server/platform/database/database";
import { type CodingClientName, hasResult, useCodingClients } from "@/server/testing/coding-agents/coding-clients";
import { codingHttp } from "@/server/testing/coding-agents/coding-http";
import { approverActor } from "@/server/testing/stage";

/** Two of five, because each further one is a download of more than 100 MB. The others run with the long tests. */
const clients = ["claude-code", "gemini"] as const satisfies readonly CodingClientName[];
const { stage, playScript, commandsOf, whyMissing, newest, inProject } = useCodingClients([...clients]);

const commands = ["touch allowed", "touch denied && rm -rf /", "touch approved && cat /etc/passwd > /dev/null"];

test.for(clients)(
  "the real %s runs a call that is allowed and one that a person approves, and none that is denied",
  {
    timeout: 240_000,
  },
  async (client, { skip }) => {
    const missing = whyMissing(client);
    if (missing !== undefined) skip(missing);
    const place = await codingHttp(stage);
    const { ended, told } = await playScript(
      client,
      (request) => (hasResult(request) ? { text: ["Done."] } : commandsOf(client, commands)),
      place,
    );
    await decideApproval(approverActor(stage), await newest(), { decision: "approve", comment: "" });
    const said = await ended;
    expect(
      ["allowed", "denied", "approved"].map((file) => existsSync(inProject(file))),
      said,
    ).toEqual([true, false, true]);
    expect(told()).toContain("never run, approved or not");
    const calls = await db().select().from(toolCalls).where(eq(toolCalls.workspaceId, stage.built.workspace.id));
    expect(calls.map(({ status }) => status).toSorted()).toEqual(["denied", "succeeded", "succeeded"]);
  },
);

import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { auditEndpoints } from "@/contracts/audit/audit";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { grantEndpoints } from "@/contracts/guard/grants";
import { resultSettingsEndpoints } from "@/contracts/tools/result-settings";
import { turnEndpoints } from "@/contracts/turns/turns";
import { expect, test } from "../fixtures";

const logFolder = "test-results";

/** Everything that the product has said on its output so far. */
function everyLog(): string {
  const files = readdirSync(logFolder).filter((file) => file.endsWith(".log"));
  expect(files.length).toBeGreaterThan(0);
  return files.map((file) => readFileSync(`${logFolder}/${file}`, "utf8")).join("\n");
}

test("a secret in a call reaches the tool, and is masked in every answer, the audit and the log", async ({ api }) => {
  const secret = `ghp_${randomBytes(24).toString("hex").slice(0, 36)}`;
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const submit = (name: string, args: Record<string, string>, wait: number) =>
    api.agent.call(turnEndpoints.submit, { params: { id }, body: { calls: [{ id: "c", name, arguments: args }], wait } });

  const asked = await submit("write_file", { path: "token.txt", content: `use ${secret}\n` }, 5);
  const approvalId = asked.calls[0]?.approvalId ?? "";
  expect(asked.calls[0]?.decision?.findings).toMatchObject([{ detector: "credential.github_token" }]);
  const question = await api.approver.call(approvalEndpoints.get, { params: { id: approvalId } });
  const remember = { scope: "conversation", match: "exact" } as const;
  const decided = await api.approver.call(approvalEndpoints.decide, {
    params: { id: approvalId },
    body: { decision: "approve", comment: "It is a test", remember },
  });
  await expect
    .poll(async () => (await api.agent.call(turnEndpoints.get, { params: { id: asked.id }, query: { wait: 5 } })).status)
    .toBe("completed");
  const done = await api.agent.call(turnEndpoints.get, { params: { id: asked.id } });
  expect(done.calls[0]?.status).toBe("succeeded");

  const answers = {
    asked,
    question,
    decided,
    done,
    approvals: await api.viewer.call(approvalEndpoints.list, { query: { conversationId: id } }),
    grants: await api.viewer.call(grantEndpoints.list, { query: { conversationId: id } }),
    audit: await api.viewer.call(auditEndpoints.list, { query: { conversationId: id, limit: 200 } }),
  };
  for (const [name, answer] of Object.entries(answers)) expect(JSON.stringify(answer).includes(secret), name).toBe(false);
  expect(JSON.stringify(done.calls[0]?.arguments)).toContain("gh***");
  expect(everyLog().includes(secret), "the log").toBe(false);

  // The tool received the secret itself, not its mask.
  const masked = await submit("read_file", { path: "token.txt" }, 20);
  expect(masked.calls[0]?.content).toContain("1 secret is masked here");
  expect(JSON.stringify(masked).includes(secret), "a result").toBe(false);
  await api.admin.call(resultSettingsEndpoints.update, { body: { maskSecrets: false } });
  try {
    const read = await submit("read_file", { path: "token.txt" }, 20);
    expect(read.calls[0]?.content).toContain(secret);
  } finally {
    await api.admin.call(resultSettingsEndpoints.update, { body: { maskSecrets: true } });
  }
});

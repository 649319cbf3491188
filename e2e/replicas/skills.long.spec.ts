import { expect, test } from "@playwright/test";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { skillEndpoints } from "@/contracts/skills/skills";
import { turnEndpoints } from "@/contracts/turns/turns";
import { zipOf } from "../document-files";
import { greeterPackage, poisonedPackage, publicRepository, type Texts } from "../skill-packages";
import { type Cluster, startCluster } from "./cluster";
import type { Replica } from "./replica";

const greeter = "skill_greeter_greet";
const sharedMs = 5_000;

let cluster: Cluster;
let web: [Replica, Replica];

test.beforeAll(async () => {
  test.setTimeout(300_000);
  cluster = await startCluster({ name: "skills", roles: ["web", "web", "worker"] });
  const [first, second] = cluster.replicas;
  if (!first || !second) throw new Error("there are no replicas");
  web = [first, second];
  await cluster.admin.call(guardEndpoints.updateConfig, { body: { defaultPolicy: "allow" } });
});
test.afterAll(() => cluster?.stop());

/** Installs a zip at one replica. */
async function install(replica: Replica, texts: Texts) {
  const response = await cluster.adminAt(replica).fetch("/api/v1/skill-packages", {
    method: "POST",
    headers: { "content-type": "application/zip" },
    body: Buffer.from(zipOf(texts)),
  });
  expect(response.status).toBe(201);
  return skillEndpoints.installZip.response.parse(await response.json()).items;
}

async function call(replica: Replica, conversationId: string, name: string, args: Record<string, string | string[]>) {
  const body = { calls: [{ id: "1", name, arguments: args }], wait: 30 };
  const turn = await cluster.agentAt(replica).call(turnEndpoints.submit, { params: { id: conversationId }, body });
  const [answered] = turn.calls;
  if (!answered) throw new Error("no call was answered");
  return answered;
}

const shownAt = async (replica: Replica, id: string) =>
  JSON.stringify(await cluster.agentAt(replica).call(conversationEndpoints.tools, { params: { id }, query: { format: "openai" } }));

test("packages installed at one replica are loaded and run at the other; a poisoned one is blocked; a removed one is gone within one turn", async () => {
  const [here, there] = web;
  const { id } = await cluster.agent.call(conversationEndpoints.create, { body: {} });
  const open = await install(here, publicRepository);
  expect(open.map(({ name, state }) => [name, state])).toEqual([
    ["brand-voice", "ready"],
    ["csv-report", "ready"],
    ["word-count", "ready"],
  ]);
  await expect.poll(() => shownAt(there, id), { timeout: sharedMs }).toContain("- csv-report: ");
  await call(there, id, "write_file", { path: "data.csv", content: "name,city\nAnn,Rome\nBen,Oslo\n" });
  expect((await call(there, id, "load_skill", { skillName: "csv-report" })).content).toContain("Run `python scripts/summarise.py FILE`.");
  const script = { skillName: "csv-report", scriptPath: "scripts/summarise.py", args: ["data.csv"] };
  expect((await call(there, id, "run_skill_script", script)).content).toBe("exit code 0\n2 rows, columns: name, city\n");

  const [typed] = await install(there, greeterPackage);
  const params = { id: typed?.id ?? "" };
  expect(typed).toMatchObject({ state: "needs_secrets", tools: 1 });
  await cluster
    .adminAt(here)
    .call(skillEndpoints.setSecret, { params: { ...params, name: "GREETER_TOKEN" }, body: { value: "hush-hush-token" } });
  for (const replica of web) await expect.poll(() => shownAt(replica, id), { timeout: sharedMs }).toContain(greeter);
  await call(here, id, "enable_tool", { toolName: greeter });
  expect((await call(there, id, greeter, { person: "Ann" })).content).toContain(
    "args ['--mode=short', '--person=Ann', '--times=1']\ntoken [secret GREETER_TOKEN]\nread-only",
  );

  const [poisoned] = await install(here, poisonedPackage);
  expect(poisoned).toMatchObject({ state: "blocked", stateReason: "SKILL.md, line 8: It tells the model to drop its instructions." });
  expect((await call(there, id, "load_skill", { skillName: "helper" })).content).toContain(
    "Error: Skill 'helper' not found or not enabled.",
  );

  await cluster.adminAt(here).call(skillEndpoints.remove, { params });
  expect((await call(here, id, greeter, { person: "Ann" })).content).toContain("Tool not found");
  // The first turn at the other replica may have begun before it heard of the removal; the second one has not.
  await call(there, id, "date_time", {});
  expect((await call(there, id, greeter, { person: "Ann" })).content).toContain("Tool not found");
  for (const replica of web) expect(await shownAt(replica, id)).not.toContain("greeter");
});

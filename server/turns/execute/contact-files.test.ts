import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { ContactDraft } from "@/contracts/messengers/contacts";
import { TurnDraft } from "@/contracts/turns/turns";
import { auditEvents, contacts as contactTable, conversations, guardConfig } from "@/db/schema";
import { type Actor, requirePermission } from "@/server/auth/actor";
import { contacts } from "@/server/contacts/contacts";
import { findConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { neverAborted, runtimeActor, submitCalls, useStage } from "@/server/testing/stage";
import { submitTurn } from "../submit-turn";

const stage = useStage();
const active = "contacts/ACTIVE.md";
const inactive = "contacts/INACTIVE.md";

beforeEach(async () => {
  const workspaceId = stage.built.workspace.id;
  await addBuiltinTools(workspaceId);
  await db()
    .update(guardConfig)
    .set({ defaultPolicy: "allow", detectors: { "contacts.change": { enabled: true, verdict: "allow" } } })
    .where(eq(guardConfig.workspaceId, workspaceId));
});

test("a change of the contacts waits for a person, also where everything else is allowed", async () => {
  await db().update(guardConfig).set({ detectors: {} }).where(eq(guardConfig.workspaceId, stage.built.workspace.id));
  await add({ name: "Mei", notes: "Old." });
  await read();
  const asked = await submitCalls(
    stage,
    [["edit_file", { path: "./contacts//ACTIVE.md", oldText: "notes: Old.", newText: "notes: New." }]],
    { wait: 0 },
  );
  expect(asked.calls).toMatchObject([{ status: "awaiting_approval" }]);
  expect(await list()).toMatchObject([{ notes: "Old." }]);
});

async function call(name: string, args: Record<string, unknown>, actor: Actor = stage.built.admin) {
  const draft = TurnDraft.parse({ calls: [{ id: "c", name, arguments: args }], wait: 10 });
  const submitted = await submitTurn(requirePermission(actor, "turns:write"), {
    ...{ conversationId: stage.conversationId, draft, idempotencyKey: null, signal: neverAborted },
  });
  const [done] = submitted.calls;
  if (!done) throw new Error("the turn has no call");
  return done;
}
/** Returns the text of a file, without the heading and the numbers that a page of it has. */
const read = async (file = active) => (await call("read_file", { path: file })).content.replace(/^.*\n/, "").replaceAll(/^ *\d+\t/gm, "");
const edit = (oldText: string, newText: string, file = active) => call("edit_file", { path: file, oldText, newText });
const list = async () =>
  (await contacts.list({ actor: authorize(stage.built.admin, "turns:read"), query: {} })).items.map(
    ({ name, status, notes, reachableIds }) => ({
      ...{ name, status, notes, reachableIds },
    }),
  );

function add(draft: Partial<ContactDraft> & { name: string }) {
  return contacts.create({ actor: authorize(stage.built.admin, "contacts:write"), body: ContactDraft.parse(draft) });
}

test("an agent reads the contacts as two files, which do not lie in its folder", async () => {
  const { id } = await add({ name: "Mei", reachableIds: ["tg:@mei_lin"], notes: "Prefers short answers.\nSpeaks: German" });
  await add({ name: "Bo", status: "inactive" });
  const text = await read();
  expect(text).toContain("# Active contacts");
  expect(text).toContain(
    `- contact_id: ${id}\n  name: Mei\n  status: active\n  reachable_ids:\n    - tg:@mei_lin\n  notes: |-\n    Prefers`,
  );
  expect(text).not.toContain("Bo");
  expect(await read("file_state_dir/contacts/INACTIVE.md")).toContain("name: Bo");
  const found = await call("search_files", { pattern: "short answers", path: active });
  expect(found.content).toContain("Prefers short answers.");
  const folder = workspaceFolder(await findConversation(runtimeActor(stage), stage.conversationId), stage.built.agent);
  expect(existsSync(path.join(folder, "contacts"))).toBe(false);
});

test("what an agent writes changes the contacts, tells what it changed, and stands in the audit with the person", async () => {
  const { id } = await add({ name: "Mei", notes: "Old." });
  const text = await read();
  expect((await edit("notes: Old.", "notes: Prefers short answers.")).content).toContain("Mei was changed (notes).");
  const added = await edit("```yaml\n", "```yaml\n- name: Ali\n  reachable_ids: [tg:4711]\n");
  expect(added.content).toMatch(/Ali was added with contact_id [0-9a-f-]{36}\./);
  expect(await list()).toEqual([
    { name: "Mei", status: "active", notes: "Prefers short answers.", reachableIds: [] },
    { name: "Ali", status: "active", notes: "", reachableIds: ["tg:4711"] },
  ]);
  const both = await read();
  const moved = await call("write_file", { path: active, content: both.replace(/(name: Mei\n\s+status: )active/, "$1inactive") });
  expect(moved.content).toContain("Mei is inactive now and stands in contacts/INACTIVE.md.");
  const elsewhere = await read(inactive);
  expect(elsewhere).toContain(`contact_id: ${id}`);
  const admitted = await edit("status: inactive", "status: active", inactive);
  expect(admitted).toMatchObject({ isError: true, content: expect.stringContaining("only people admit people") });
  expect(text).toContain("notes: Old.");
  const events = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, stage.built.workspace.id)).orderBy(auditEvents.id);
  const changes = events.filter(({ event }) => event.startsWith("contact."));
  expect(changes.map(({ event, actorType }) => [event, actorType])).toEqual([
    ["contact.created", "user"],
    ["contact.updated", "user"],
    ["contact.created", "user"],
    ["contact.updated", "user"],
  ]);
});

test("a text that is not of now is refused: the file has to be read before, and again after somebody else's change", async () => {
  const mei = await add({ name: "Mei" });
  expect((await call("write_file", { path: active, content: "x" })).content).toContain("has not been read in this conversation");
  const text = await read();
  const body = ContactDraft.parse({ name: "Mei Lin" });
  await contacts.update({ actor: authorize(stage.built.admin, "contacts:write"), params: { id: mei.id }, body, version: null });
  // Comparisons of times allow for coarse clocks, so the change happens well after the reading.
  await db()
    .update(contactTable)
    .set({ updatedAt: new Date(Date.now() + 60_000) })
    .where(eq(contactTable.id, mei.id));
  const late = await call("write_file", { path: active, content: text.replace("name: Mei", "name: Maya") });
  expect(late).toMatchObject({ isError: true, content: expect.stringContaining("was changed after this conversation read it") });
  expect(await list()).toMatchObject([{ name: "Mei Lin" }]);
});

test("an entry that somebody changed after it was read is not overwritten, although the file could be", async () => {
  const mei = await add({ name: "Mei" });
  const text = await read();
  await call("shell_execute", { command: "true" });
  const body = ContactDraft.parse({ name: "Mei", notes: "Changed by a person." });
  await contacts.update({ actor: authorize(stage.built.admin, "contacts:write"), params: { id: mei.id }, body, version: null });
  await db()
    .update(contactTable)
    .set({ updatedAt: mei.updatedAt ? new Date(mei.updatedAt) : new Date() })
    .where(eq(contactTable.id, mei.id));
  const late = await call("write_file", { path: active, content: text.replace("name: Mei", "name: Maya") });
  expect(late).toMatchObject({ isError: true, content: expect.stringContaining("Mei was changed by somebody else meanwhile") });
  expect(await list()).toMatchObject([{ name: "Mei", notes: "Changed by a person." }]);
});

test("a hundred entries at most are changed by one call", async () => {
  for (let number = 0; number < 101; number++) await add({ name: `Person ${number}` });
  const text = await read();
  const all = await call("write_file", { path: active, content: text.replaceAll("status: active", "status: inactive") });
  expect(all).toMatchObject({ isError: true, content: expect.stringContaining("101 entries would change. Change at most 100 at once") });
});

test.each([
  ["an entry that is left out", (text: string) => text.replace(/- contact_id[\s\S]*?```/, "```"), /leaves out Mei, and nobody is removed/],
  ["a list that is no YAML", (text: string) => text.replace("name: Mei", "name: [Mei"), /line \d+: the list is no YAML/],
  ["a name that is taken", (text: string) => text.replace("```yaml\n", "```yaml\n- name: Mei\n"), /A contact named "Mei" exists already/],
  ["a member of its own making", (text: string) => text.replace("member: null", "member: Admin"), /member of Mei cannot be changed here/],
  [
    "an address of a new person",
    (text: string) => text.replace("```yaml\n", "```yaml\n- name: Bo\n  addresses: [telegram 71]\n"),
    /addresses of Bo is no member of a new person/,
  ],
  ["a key that nobody knows", (text: string) => text.replace("name: Mei", "name: Mei\n  phone: 1"), /line \d+: .*phone/],
  [
    "a malformed address",
    (text: string) => text.replace("reachable_ids: []", "reachable_ids: [mei]"),
    /line \d+: reachable_ids\.0: must be tg:/,
  ],
  ["text around the list", (text: string) => `${text}\nMei is nice.\n`, /line \d+: only the list is kept/],
  [
    "a name that cannot be kept",
    (text: string) => text.replace("name: Mei", 'name: "M\\0i"'),
    /line \d+: name: holds characters that cannot be kept/,
  ],
  ["no list", () => "Mei", /needs its list between/],
  [
    "a person who was removed",
    (text: string) => text.replace("```yaml\n", "```yaml\n- contact_id: 01890000-0000-7000-8000-000000000000\n  name: Ex\n"),
    /no contact has the contact_id/,
  ],
  ["one entry twice", (text: string) => text.replace(/(- contact_id[\s\S]*?)```/, "$1$1```"), /two entries have the contact_id/],
])("%s is refused with its place, and nothing is changed", async (_case, change, sentence) => {
  await add({ name: "Mei" });
  const text = await read();
  const written = change(text).replace("```yaml\n", "```yaml\n- name: Ali\n");
  const refused = await call("write_file", { path: active, content: written });
  expect(refused).toMatchObject({ isError: true, content: expect.stringMatching(sentence) });
  expect(await list()).toMatchObject([{ name: "Mei" }]);
});

test("only members read the contacts, only those who may change them write them, and nobody in a group", async () => {
  await add({ name: "Mei" });
  const { agentKey } = stage.built;
  expect((await call("read_file", { path: active }, agentKey)).content).toContain("name: Mei");
  const text = await read();
  const refused = await call("write_file", { path: active, content: text.replace("Mei", "Maya") }, agentKey);
  expect(refused).toMatchObject({ isError: true, content: expect.stringContaining("contacts:write") });
  await db().update(conversations).set({ channel: "telegram:group" }).where(eq(conversations.id, stage.conversationId));
  expect(await call("read_file", { path: active })).toMatchObject({
    isError: true,
    content: expect.stringContaining("private conversations"),
  });
});

test("a file of the folder at that path stays itself, and the list is neither deleted nor changed with other files", async () => {
  await add({ name: "Mei" });
  await read();
  await call("enable_tool", { toolName: "patch" });
  const patch = `*** Begin Patch\n*** Delete File: ${active}\n*** End Patch`;
  expect(await call("patch", { mode: "patch", patch })).toMatchObject({ isError: true, content: expect.stringContaining("never deleted") });
  expect(await call("write_file", { path: `${active}/x.json`, content: "{}" })).toMatchObject({
    isError: true,
    content: expect.stringContaining("nothing lies below it"),
  });
  const folder = workspaceFolder(await findConversation(runtimeActor(stage), stage.conversationId), stage.built.agent);
  expect(existsSync(path.join(folder, "contacts"))).toBe(false);
  mkdirSync(path.join(folder, "contacts"), { recursive: true });
  writeFileSync(path.join(folder, active), "mine\n");
  expect(await read()).toContain("mine");
});

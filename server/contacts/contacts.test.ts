import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ContactDraft } from "@/contracts/messengers/contacts";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { contacts } from "./contacts";
import { listContacts } from "./list-contacts";

useTestDatabase();

test("a contact has a name of its own in its workspace, and each change stands in the audit", async () => {
  const { workspace, approver, viewer } = await buildWorkspace();
  const actor = authorize(approver, "contacts:write");
  const body = ContactDraft.parse({ name: "Mei", reachableIds: ["tg:@mei_lin", "tg:-1001", "tg:-1001"] });
  const mei = await contacts.create({ actor, body });
  expect(mei).toMatchObject({ name: "Mei", reachableIds: ["tg:@mei_lin", "tg:-1001"], status: "active", member: null, addresses: [] });
  await expect(contacts.create({ actor, body })).rejects.toThrow('A contact named "Mei" exists already');
  expect(ContactDraft.safeParse({ name: "Mei", reachableIds: ["mei"] }).success).toBe(false);
  const other = authorize((await buildWorkspace()).admin, "contacts:write");
  await expect(contacts.remove({ actor: other, params: { id: mei.id }, version: null })).rejects.toThrow("does not exist");
  await contacts.remove({ actor, params: { id: mei.id }, version: null });
  expect((await contacts.list({ actor: authorize(viewer, "turns:read"), query: {} })).items).toEqual([]);
  const events = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, workspace.id)).orderBy(auditEvents.id);
  expect(events.map(({ event }) => event)).toEqual(["contact.created", "contact.removed"]);
});

test("contacts are found by name, notes and address, by state, and in pages that leave nobody out", async () => {
  const { admin } = await buildWorkspace();
  const add = (name: string, more: Partial<ContactDraft> = {}) =>
    contacts.create({ actor: authorize(admin, "contacts:write"), body: ContactDraft.parse({ name, ...more }) });
  await add("Mei", { notes: "Prefers 100% short answers" });
  await add("Bo", { reachableIds: ["tg:@bo_lin"] });
  await add("Ann", { status: "inactive" });
  const reader = authorize(admin, "turns:read");
  const named = async (filter: Parameters<typeof listContacts>[1]) => (await listContacts(reader, filter)).items.map(({ name }) => name);
  expect(await named({ query: "100%" })).toEqual(["Mei"]);
  expect(await named({ query: "@BO_" })).toEqual(["Bo"]);
  expect(await named({ query: "_" })).toEqual(["Bo"]);
  expect(await named({ status: "inactive" })).toEqual(["Ann"]);
  const first = await listContacts(reader, { limit: 2 });
  const { items } = await listContacts(reader, { limit: 2, cursor: first.nextCursor ?? "" });
  expect([...first.items, ...items].map(({ name }) => name)).toEqual(["Mei", "Bo", "Ann"]);
});

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { auditEvents } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { hostile, useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { confirmEffects } from "./confirm-effects";
import { listServerTools } from "./list-server-tools";

const servers = useConnectedServers();
const full = path.resolve("server/testing/mcp/full-mcp-server.mjs");
vi.setConfig({ testTimeout: 60_000 });
const admin = () => authorize(servers.house().admin, "tools:write");
const proposals = async (id: string) =>
  (await listServerTools(servers.reader(), id)).items.map(({ name, effect, proposal }) => ({ name, effect, proposal }));

test("a tool's proposed effect is shown until a person confirms one, which then counts, with one row in the audit", async () => {
  await servers.start();
  const { id } = await servers.connected("host", [hostile], { trustHints: false });
  const before = await proposals(id);
  expect(before.every(({ proposal }) => proposal !== null)).toBe(true);
  const effects = Object.fromEntries(before.map(({ name }) => [name, "read" as const]));

  expect(await confirmEffects(admin(), id, effects)).toEqual({ confirmed: before.length });
  expect(await proposals(id)).toEqual(before.map(({ name }) => ({ name, effect: expect.any(String), proposal: null })));
  expect(await confirmEffects(admin(), id, effects)).toEqual({ confirmed: 0 });
  const audited = await db().select().from(auditEvents).where(eq(auditEvents.event, "mcp_server.effects_confirmed"));
  expect(audited).toEqual([expect.objectContaining({ subject: "host", data: expect.objectContaining({ effects }) })]);
});

test("a name that is no tool of the server is refused by its path, and nothing is confirmed", async () => {
  await servers.start();
  const { id } = await servers.connected("host", [hostile], { trustHints: false });
  const [tool] = await proposals(id);
  const effects = { [tool?.name ?? ""]: "read" as const, host__gone: "read" as const };
  await expect(confirmEffects(admin(), id, effects)).rejects.toMatchObject({
    code: "not_found",
    details: { errors: [{ path: "effects.host__gone" }] },
  });
  expect((await proposals(id)).every(({ proposal }) => proposal !== null)).toBe(true);
});

test("confirming all proposals leaves a tool of which nothing is known as strict as it was", async () => {
  await servers.start();
  const { id } = await servers.connected("host", [hostile], { trustHints: false });
  const before = await proposals(id);
  const unknown = before.filter(({ proposal }) => proposal?.isKnown === false);
  expect(unknown.length).toBeGreaterThan(0);
  await confirmEffects(
    admin(),
    id,
    Object.fromEntries(before.flatMap(({ name, proposal }) => (proposal ? [[name, proposal.effect]] : []))),
  );
  const after = await proposals(id);
  for (const { name, effect } of unknown) expect(after.find((tool) => tool.name === name)?.effect, name).toBe(effect);
});

test("a proposal reads a tool's description as its server wrote it, and not the server's name before it", async () => {
  await servers.start();
  const { id } = await servers.connected("delete-all", [full], { trustHints: false });
  const proposed = new Map((await proposals(id)).map(({ name, proposal }) => [name, proposal]));
  expect(proposed.get("delete-all__release")).toEqual({ effect: "destroy", because: "its description says “removes”", isKnown: true });
  expect(proposed.get("delete-all__pid")).toMatchObject({ effect: "read", because: "its server says that it only reads" });
});

test("a new tool that waits for a decision has no proposal, so that confirming all leaves it as it was", async () => {
  await servers.start();
  const file = path.join(servers.folder(), "notes.json");
  await writeFile(file, JSON.stringify([{ name: "read_note", description: "Reads a note." }]));
  const { id } = await servers.connected("notes", [hostile, "from_file", file, servers.marker], { trustHints: false });
  await writeFile(file, JSON.stringify([{ name: "read_note", description: "Reads a note." }, { name: "Read_Note" }]));
  const pins = async () =>
    (await listServerTools(servers.reader(), id)).items.map(({ rawName, pin, proposal }) => [rawName, pin, proposal?.effect]);
  await expect.poll(pins, servers.patience).toEqual([
    ["Read_Note", "new", undefined],
    ["read_note", "pinned", "read"],
  ]);
});

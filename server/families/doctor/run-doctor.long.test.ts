import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { mcpServers, tools } from "@/db/schema";
import { db } from "@/server/platform/database/database";
import { provideDoctorChecks, runChecks } from "@/server/platform/extension-points/doctor-checks";
import { authorize, buildWorkspace } from "@/server/testing/builders";
import { useTestDatabase } from "@/server/testing/test-database";
import { syncBuiltinTools } from "@/server/tools/sync-tools";
import { provideFamilies } from "../provide-families";
import { runDoctor } from "./run-doctor";

useTestDatabase();

test("broken checks stand first, with their way out and their page", async () => {
  provideFamilies();
  const { workspace, admin } = await buildWorkspace();
  await syncBuiltinTools();
  await db()
    .insert(mcpServers)
    .values({ workspaceId: workspace.id, alias: "crm", transport: "stdio", command: "crm", status: "error", lastError: "It stopped." });
  await db().update(tools).set({ inputSchema: {} }).where(eq(tools.name, "date_time"));
  const broken = await runDoctor(authorize(admin, "admin"));
  expect(broken.items.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["Database", "Clock", "Disk", "Sandbox", "Search", "MCP servers"]),
  );
  expect(broken.overall).toBe("failed");
  expect(broken.items.slice(0, 2)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: "MCP server crm",
        sentence: "It stopped.",
        link: { label: "crm", path: expect.stringContaining("/mcp-servers?") },
      }),
      expect.objectContaining({
        name: "Tools",
        sentence: expect.stringContaining("date_time: schema is empty"),
        wayOut: expect.any(String),
      }),
    ]),
  );
});

test("builtin tools that wait for a setting are no warning, and one reason is one line", async () => {
  provideFamilies();
  const { admin } = await buildWorkspace();
  await syncBuiltinTools();
  const { items } = await runDoctor(authorize(admin, "admin"));
  const waiting = items.filter(({ name }) => /^Tools? [a-z]/.test(name));
  expect(waiting.find(({ name }) => name.includes("image_generate"))).toMatchObject({
    status: "skipped",
    wayOut: null,
    sentence: expect.stringContaining("Settings, Media"),
    link: { label: "Settings → Media", path: "/settings/media" },
  });
  expect(
    waiting.find(({ name }) => name.includes("acp_spawn")),
    "the console's page, not an endpoint",
  ).toMatchObject({
    sentence: expect.not.stringContaining("/api/"),
    link: { label: "Settings → Agents at work", path: "/settings#delegation" },
  });
  expect(new Set(waiting.map(({ sentence }) => sentence)).size).toBe(waiting.length);
  expect(waiting.every(({ status }) => status === "skipped")).toBe(true);
});

test("a check that throws is a failure of its own, and the others are still heard", async () => {
  provideDoctorChecks([]);
  const results = await runChecks(
    [
      { name: "Broken", isOffline: true, run: () => Promise.reject(new Error("no socket")) },
      { name: "Fine", isOffline: true, run: () => [{ name: "Fine", status: "ok", sentence: "It works." }] },
    ],
    "",
  );
  expect(results).toMatchObject([
    { name: "Broken", status: "failed", sentence: "The check itself failed: no socket" },
    { name: "Fine", status: "ok", wayOut: null, link: null },
  ]);
});

test("a check that does not end in time is a warning that it is slow", async () => {
  const { promise: never } = Promise.withResolvers<never>();
  const [result] = await runChecks([{ name: "Browser", isOffline: true, limitMs: 10, run: () => never }], "");
  expect(result).toMatchObject({ name: "Browser", status: "warning", sentence: "Slow: the check did not end within 0.01 seconds." });
});

import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { McpServerDraft } from "@/contracts/mcp/mcp-servers";
import { env } from "@/server/platform/env";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { openedPaths } from "../program/opened-paths";
import { createServer } from "../servers/create-server";

const { admin } = useConnectedServers();
vi.setConfig({ testTimeout: 60_000 });
const draft = (readablePaths: string[]) => McpServerDraft.parse({ alias: "reads", transport: "stdio", command: "true", readablePaths });

test("a path of Handrail's own folders is refused on save with the field's name, also behind a link", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "links-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const link = path.join(folder, "link");
  await symlink(process.cwd(), link);
  for (const entry of [path.join(env().dataDir, "mcp"), env().dataDir, `${process.cwd()}/docs`, link]) {
    await expect(createServer(admin(), draft(["/srv/data", entry])), entry).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining(`readablePaths.1 names ${entry}, which belongs to Handrail itself`),
      details: { errors: [{ path: "readablePaths.1" }] },
    });
  }
  expect(await createServer(admin(), { ...draft(["/srv/data", "~/.npmrc"]), enabled: false })).toMatchObject({
    readablePaths: ["/srv/data", "~/.npmrc"],
  });
});

test("a start with such a path, saved before, fails with a sentence about the server's settings", async () => {
  const settings = { ...draft([env().dataDir]), id: null, command: "true", cwd: null, url: null };
  await expect(openedPaths(settings, "/nowhere")).rejects.toThrow(/^readablePaths names .* Remove it from the paths that it may read\.$/);
});

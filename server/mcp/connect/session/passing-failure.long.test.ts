import path from "node:path";
import { expect, test, vi } from "vitest";
import { installedNode, installProgram } from "@/scripts/install-program";
import { AppError } from "@/server/platform/errors";
import { useConnectedServers } from "@/server/testing/mcp/connected-servers";
import { openSession } from "./open-session";

const sentence = "A network of the sandbox could not be made: bubblewrap did not start in time. Try again, or run it without a network.";
const network = vi.hoisted(() => ({ isMissing: false }));
vi.mock("@/server/capabilities/sandbox/network/conversation-network", async (original) => {
  const actual = await original<typeof import("@/server/capabilities/sandbox/network/conversation-network")>();
  return {
    ...actual,
    conversationNetwork: (key: string) =>
      network.isMissing ? Promise.reject(new AppError("unavailable", sentence)) : actual.conversationNetwork(key),
  };
});
const servers = useConnectedServers({ sandbox: "auto" });
vi.setConfig({ testTimeout: 90_000 });

test("a server whose sandbox got no network on a busy machine says so without words about commands, and is started again", async () => {
  const program = await installProgram("full", path.resolve("server/testing/mcp/full-mcp-server.mjs"));
  const draft = servers.draft("full", [program], { command: installedNode(), network: "open", connectTimeoutSeconds: 60 });
  const settings = { ...draft, id: null, command: installedNode(), cwd: null, url: null };
  const { signal } = new AbortController();
  network.isMissing = true;
  expect(await openSession(settings, { signal })).toMatchObject({ ok: false, error: sentence, isFinal: false });
  network.isMissing = false;
  const again = await openSession(settings, { signal });
  expect(again).toMatchObject({ ok: true });
  if (again.ok) await again.session.close();
});

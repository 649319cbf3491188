import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { authProfiles } from "@/db/schema";
import { endConversationNetworks } from "@/server/capabilities/sandbox/network/conversation-network";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { updateConfig } from "@/server/policy/rules/guard-config";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { submitCalls, useStage } from "@/server/testing/stage";
import { updateShellSettings } from "./shell-settings";

const stage = useStage();
const token = "t0ken-of-the-company";
/** A registry on a private address of this machine. */
const company = createServer((request, response) => {
  const isKnown = request.headers.authorization === `Bearer ${token}`;
  response.writeHead(isKnown ? 200 : 401).end(isKnown ? `the company's ${request.url}` : "no token");
});
let origin = "";
beforeAll(async () => {
  company.listen(0, "127.0.0.1");
  await once(company, "listening");
  origin = `http://127.0.0.1:${(company.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await endConversationNetworks();
  company.close();
});
beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
  await updateConfig(authorize(stage.built.admin, "guard:write"), { allowedHosts: ["registry.npmjs.org"] }, null);
});

const admin = () => authorize(stage.built.admin, "admin");
const shell = async (command: string) => (await submitCalls(stage, [["shell_execute", { command }]], { wait: 20 })).calls[0]?.content ?? "";
async function makeProfile(name: string): Promise<string> {
  const values = { workspaceId: stage.built.workspace.id, name, kind: "bearer", origin, secretSealed: seal(token) } as const;
  const [profile] = await db().insert(authProfiles).values(values).returning();
  return profile?.id ?? "";
}

test("a command gets packages of the company's registry with a token that it never sees", async () => {
  const id = await makeProfile("Company npm");
  await updateShellSettings(admin(), { registries: { npm: { url: `${origin}/npm/`, authProfileId: id } } }, null);
  const read = await shell("curl -sS http://registry.npmjs.org/npm/left-pad");
  expect(read).toContain("the company's /npm/left-pad");
  const seen = await shell("env; curl -sS -v http://registry.npmjs.org/npm/left-pad 2>&1");
  expect(seen).toContain("npm_config_registry=http://registry.npmjs.org/npm/");
  expect(seen).not.toContain(token);
  expect(await shell("curl -sS -X PUT -d x http://registry.npmjs.org/npm/left-pad || true")).not.toContain("the company's");

  await updateShellSettings(admin(), { registries: { npm: { url: `${origin}/npm/`, authProfileId: null } } }, null);
  const refused = await shell("curl -sS http://registry.npmjs.org/npm/left-pad");
  expect(refused).toContain(`${origin}, which an admin set in place of registry.npmjs.org, answered 401. It has no auth profile`);
});

test("a registry takes a profile of its own origin only, and the error names the field", async () => {
  const id = await makeProfile("Another");
  const change = (url: string, authProfileId: string) =>
    updateShellSettings(admin(), { registries: { pypi: { url, authProfileId } } }, null);
  await expect(change("https://pypi.example.com/simple/", id)).rejects.toMatchObject({
    code: "invalid",
    details: { errors: [{ path: "registries.pypi.authProfileId", message: expect.stringContaining(`belongs to ${origin}`) }] },
  });
  await expect(change(`${origin}/simple/`, stage.built.workspace.id)).rejects.toThrow("There is no such auth profile");
});

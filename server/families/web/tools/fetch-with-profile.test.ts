import { beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { AuthProfileDraft } from "@/contracts/tools/auth-profiles";
import { authProfiles } from "@/db/schema";
import { chunksWithoutCredential } from "@/server/capabilities/auth-profiles/credential";
import { seal } from "@/server/platform/crypto";
import { db } from "@/server/platform/database/database";
import { builtinTools } from "@/server/testing/builtin-tools";
import { allowHost, httpApi } from "@/server/testing/services/http-api";
import { submitCalls, useStage } from "@/server/testing/stage";
import { syncTools } from "@/server/tools/sync-tools";

const stage = useStage();
const workspaceId = () => stage.built.workspace.id;
const secret = "top_secret_value_1";

const shipped = builtinTools.filter(({ name }) => name === "url_fetch" || name === "read_file");
beforeEach(() => db().transaction((tx) => syncTools(tx, { workspaceId: workspaceId(), mcpServerId: null }, shipped)));

async function addProfile(origin: string, values: Partial<z.input<typeof AuthProfileDraft>> = {}) {
  const { secret: text = "", ...draft } = AuthProfileDraft.parse({
    name: "api",
    kind: "bearer",
    parameter: "key",
    origin,
    secret,
    allowsFetch: true,
    ...values,
  });
  await db()
    .insert(authProfiles)
    .values({ ...draft, secretSealed: seal(text), workspaceId: workspaceId() });
}

async function fetchOnce(args: object) {
  const { calls } = await submitCalls(stage, [["url_fetch", { ...args }]]);
  return calls[0];
}

test("a profile that an admin allowed is sent to its origin, and its secret is in no result", async () => {
  const api = await httpApi(({ headers, url }, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<h1>Heard</h1><p>${headers.authorization} at ${url}</p>`);
  });
  await allowHost(workspaceId(), api.host);
  await addProfile(api.origin);
  await addProfile(api.origin, { name: "by query", kind: "query" });
  const bearer = await fetchOnce({ url: `${api.origin}/me`, auth_profile: "api" });
  const query = await fetchOnce({ url: `${api.origin}/me`, authProfile: "by query" });
  expect(api.received.map(({ headers, url }) => [headers.authorization, url])).toEqual([
    [`Bearer ${secret}`, "/me"],
    [undefined, `/me?key=${secret}`],
  ]);
  expect([bearer?.status, query?.status]).toEqual(["succeeded", "succeeded"]);
  expect(bearer?.content).toContain("Bearer \\*\\*\\*");
  expect(JSON.stringify([bearer, query])).not.toMatch(/top.{0,2}_secret/);
});

test("a downloaded answer holds asterisks where the server repeated the secret", async () => {
  const api = await httpApi((_request, response) => void response.end(`before ${secret} after`));
  await allowHost(workspaceId(), api.host);
  await addProfile(api.origin);
  expect(await fetchOnce({ url: api.origin, authProfile: "api", downloadPath: "answer.txt" })).toMatchObject({ status: "succeeded" });
  const { calls } = await submitCalls(stage, [["read_file", { path: "answer.txt" }]]);
  expect(calls[0]?.content).toContain(`before ${"*".repeat(secret.length)} after`);
});

test("a profile is not sent when no admin allowed it, at another origin, or by another workspace's name", async () => {
  const api = await httpApi((_request, response) => response.end("x"));
  const other = await httpApi((_request, response) => response.end("x"));
  await allowHost(workspaceId(), api.host, other.host);
  await addProfile(api.origin, { name: "tools only", allowsFetch: false });
  await addProfile(api.origin);
  const refused = await fetchOnce({ url: api.origin, authProfile: "tools only" });
  expect(refused).toMatchObject({ status: "failed" });
  expect(refused?.content).toContain(`No auth profile "tools only" may be sent to ${api.origin}. Send one of "api".`);
  const elsewhere = await fetchOnce({ url: other.origin, authProfile: "api" });
  expect(elsewhere?.content).toContain(`No auth profile "api" may be sent to ${other.origin}. Fetch without authProfile`);
  expect([...api.received, ...other.received]).toEqual([]);
});

test("a profile with paths and methods goes nowhere else, not by a redirect, a dot or an escaped slash either", async () => {
  const api = await httpApi(({ url }, response) => {
    if (url === "/v1/moved") response.writeHead(302, { location: "/admin" });
    response.end("x");
  });
  await allowHost(workspaceId(), api.host);
  await addProfile(api.origin, { fetchPaths: ["/v1"], fetchMethods: ["GET"] });
  const ask = async (path: string, more: object = {}) =>
    (await fetchOnce({ url: `${api.origin}${path}`, authProfile: "api", followRedirects: true, ...more }))?.content;
  const refused = await Promise.all(
    ["/admin", "/v10", "/v1/../admin", "/v1/%2e%2e/admin", "/v1/..%2fadmin", "/v1/..%5cadmin"].map((path) => ask(path)),
  );
  for (const content of refused) expect(content).toMatch(/The auth profile "api" may be sent to \/v1 and below only, not to \//);
  expect(await ask("/v1", { method: "POST", body: "b" })).toContain('The auth profile "api" may be sent with GET only, not with POST.');
  expect(api.received).toEqual([]);
  await ask("/v1");
  await ask("/v1/a?b=c");
  expect(await ask("/v1/moved")).toContain("302");
  expect(api.received.map(({ url }) => url)).toEqual(["/v1", "/v1/a?b=c", "/v1/moved"]);
});

test.each([1, 2, 3, 7, 100])("a secret is overwritten in chunks of %d bytes, wherever it stands", async (size) => {
  const bytes = Buffer.from(`${secret}a${secret}${secret}é${secret.slice(0, 5)} ${secret}`);
  async function* chunks() {
    for (let at = 0; at < bytes.byteLength; at += size) yield bytes.subarray(at, at + size);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of chunksWithoutCredential(chunks(), [secret])) pieces.push(piece);
  expect(Buffer.concat(pieces).toString()).toBe(bytes.toString().replaceAll(secret, "*".repeat(secret.length)));
});

import { execFile } from "node:child_process";
import path from "node:path";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { contacts, todoItems } from "@/db/schema";
import { createApiKey } from "@/server/auth/api-keys/create-api-key";
import { db } from "@/server/platform/database/database";
import { authorize } from "@/server/testing/builders";
import { useRunStage } from "@/server/testing/models/run-stage";
import { serveAnswers } from "@/server/testing/serve-answers";
import { erasureAnswers } from "./endpoints";

const stage = useRunStage();
const script = path.resolve(import.meta.dirname, "../../../scripts/person.ts");

/** Runs `npm run person` as an operator does, against Handrail's API over HTTP. */
async function person(environment: Record<string, string>, ...words: string[]) {
  return new Promise<{ code: number; said: string; errors: string }>((resolve) => {
    execFile(process.execPath, [script, ...words], { env: { ...process.env, ...environment } }, (error, said, errors) =>
      resolve({ code: error ? Number(error.code) : 0, said, errors }),
    );
  });
}

async function access() {
  const { origin } = await serveAnswers(erasureAnswers);
  const { key } = await createApiKey(authorize(stage.built.admin, "admin"), { name: "Data protection", scopes: ["people:erase"] });
  return { HANDRAIL_URL: origin, HANDRAIL_API_KEY: key };
}

test("a person's data is counted, exported and erased by one command, and erased only when the name is repeated", async () => {
  const at = await access();
  const { workspace, admin } = stage.built;
  const [contact] = await db().insert(contacts).values({ workspaceId: workspace.id, name: "Wilhelmina Xq", reachableIds: [] }).returning();
  const id = contact?.id ?? "";
  const by = { type: "contact" as const, id, name: "Wilhelmina Xq" };
  await db()
    .insert(todoItems)
    .values({ workspaceId: workspace.id, content: "Call the quokka", people: ["Wilhelmina Xq"], createdBy: by });

  const plan = await person(at, "plan", "contact", id);
  expect(plan).toMatchObject({ code: 0, errors: "" });
  expect(plan.said).toContain("todo items: 1");
  const exported = await person(at, "export", "contact", id);
  expect(exported.code).toBe(0);
  expect(exported.said).toContain("Call the quokka");

  const unconfirmed = await person(at, "erase", "contact", id);
  expect(unconfirmed.code).toBe(1);
  expect(unconfirmed.said).toContain('Nothing was erased. Repeat the command with --confirm "Wilhelmina Xq".');
  const otherName = await person(at, "erase", "contact", id, "--confirm", admin.name);
  expect(otherName.code).toBe(1);
  expect(await db().$count(contacts, eq(contacts.id, id))).toBe(1);

  const erased = await person(at, "erase", "contact", id, "--confirm", "Wilhelmina Xq");
  expect(erased).toMatchObject({ code: 0, said: expect.stringContaining("Erased.") });
  expect((await person(at, "export", "contact", id)).said).not.toContain("quokka");
});

test("a command that is wrong, an address where nobody answers and a key without the right are told", async () => {
  const at = await access();
  expect(await person(at, "--banana")).toMatchObject({ code: 2, errors: expect.stringContaining("Usage: npm run person") });
  expect(await person(at, "--help")).toMatchObject({ code: 0, said: expect.stringContaining("Usage: npm run person") });
  const nobody = await person({ ...at, HANDRAIL_URL: "http://127.0.0.1:9" }, "plan", "contact", "x");
  expect(nobody).toMatchObject({ code: 1, errors: expect.stringContaining("Handrail does not answer at http://127.0.0.1:9") });
  const { key } = await createApiKey(authorize(stage.built.admin, "admin"), { name: "Reader", scopes: ["audit:read"] });
  const unable = await person({ ...at, HANDRAIL_API_KEY: key }, "plan", "contact", "x");
  expect(unable).toMatchObject({ code: 1, errors: expect.stringContaining("people:erase") });
});

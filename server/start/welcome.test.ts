import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { welcome } from "./welcome";

const situation = { role: "all", port: 3000, publicUrl: "http://localhost:3000", seconds: 4.21, sandbox: "Sandbox on." } as const;
const first = { email: "admin@example.com", password: "generated-one", isPasswordGenerated: true, agentKey: "hr_key" };
const lastLine = (text: string) => text.trimEnd().split("\n").at(-1);

test("a first start says how to sign in and what to do next, and ends with the address", () => {
  const text = welcome({ ...situation, first });
  for (const words of ["admin@example.com", "generated-one", "hr_key", "Make a call"]) expect(text).toContain(words);
  expect(lastLine(text)).toBe("Handrail is ready after 4.2 s. Open http://localhost:3000");
});

test("a later start ends with the address too, and its link to keys leads to a page", () => {
  const text = welcome({ ...situation, first: null });
  expect(lastLine(text)).toContain("Open http://localhost:3000");
  const link = /http:\/\/localhost:3000(\/\S+)/.exec(text)?.[1] ?? "";
  expect(existsSync(path.join(import.meta.dirname, `../../app/(console)${link}/page.tsx`)), link).toBe(true);
});

test("a password that the environment chose is not printed", () => {
  expect(welcome({ ...situation, first: { ...first, isPasswordGenerated: false } })).not.toContain("generated-one");
});

import { expect, test } from "vitest";
import { auditEvents, users } from "@/db/schema";
import { verifyPassword } from "@/server/auth/sign-in/password";
import { db } from "@/server/platform/database/database";
import { useTestDatabase } from "@/server/testing/test-database";
import { bootstrapWorkspace } from "./bootstrap-workspace";
import { resetAdminPassword } from "./reset-admin-password";

useTestDatabase();

test("an owner who lost the password gets another, the old one stops working, and it stands in the audit", async () => {
  const first = await bootstrapWorkspace({ email: "owner@example.com", password: null });
  const password = await resetAdminPassword({ email: "owner@example.com", password: null });
  const [owner] = await db().select().from(users);
  expect(await verifyPassword(owner?.passwordHash ?? null, password)).toBe(true);
  expect(await verifyPassword(owner?.passwordHash ?? null, first?.password ?? "")).toBe(false);
  expect((await db().select().from(auditEvents)).map(({ event }) => event)).toContain("user.updated");
});

test("somebody who owns nothing keeps what they have", async () => {
  await expect(resetAdminPassword({ email: "nobody@example.com", password: null })).rejects.toThrow("HANDRAIL_ADMIN_EMAIL");
});

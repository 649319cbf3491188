import { expect, expectTypeOf, test } from "vitest";
import type { Permission } from "@/contracts/permissions";
import { type Actor, type Authorized, requirePermission } from "./actor";
import type { createApiKey } from "./api-keys/create-api-key";

// tsc checks the types in this file; running the test proves only the behaviour of `requirePermission`.
test("a call by an actor that nobody checked does not compile", () => {
  expectTypeOf<Actor>().not.toExtend<Parameters<typeof createApiKey>[0]>();
  expectTypeOf<Authorized<"tools:write">>().not.toExtend<Parameters<typeof createApiKey>[0]>();
  expectTypeOf<Authorized<"admin">>().toExtend<Parameters<typeof createApiKey>[0]>();
  expectTypeOf<Authorized<"tools:read"> & Authorized<"admin">>().toExtend<Authorized<"admin">>();
  expectTypeOf(requirePermission<"audit:read">).returns.toEqualTypeOf<Authorized<"audit:read">>();
});

test("the check names what is missing and whom to ask", () => {
  const actor: Actor = {
    type: "user",
    id: "1",
    name: "Ann",
    workspaceId: "w",
    role: "viewer",
    permissions: new Set<Permission>(["tools:read"]),
    agentId: null,
    personId: "1",
    requestId: null,
  };
  expect(requirePermission(actor, "tools:read")).toBe(actor);
  expect(() => requirePermission(actor, "tools:write")).toThrow("Your role does not include the permission tools:write. Ask an admin");
  expect(() => requirePermission({ ...actor, type: "api_key", name: "Runtime" }, "admin")).toThrow(
    'The API key "Runtime" does not have the scope admin',
  );
});

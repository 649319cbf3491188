import { expect, expectTypeOf, test } from "vitest";
import type { Permission } from "@/contracts/permissions";
import { type Actor, demand, type Holder } from "./actor";
import type { createApiKey } from "./create-api-key";

// The types are checked by tsc, which is part of every check; running this only proves what `demand` does.
test("a call by an actor that nobody checked does not compile", () => {
  expectTypeOf<Actor>().not.toExtend<Parameters<typeof createApiKey>[0]>();
  expectTypeOf<Holder<"tools:write">>().not.toExtend<Parameters<typeof createApiKey>[0]>();
  expectTypeOf<Holder<"admin">>().toExtend<Parameters<typeof createApiKey>[0]>();
  expectTypeOf<Holder<"tools:read"> & Holder<"admin">>().toExtend<Holder<"admin">>();
  expectTypeOf(demand<"audit:read">).returns.toEqualTypeOf<Holder<"audit:read">>();
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
    requestId: null,
  };
  expect(demand(actor, "tools:read")).toBe(actor);
  expect(() => demand(actor, "tools:write")).toThrow("Your role does not include the permission tools:write. Ask an admin");
  expect(() => demand({ ...actor, type: "api_key", name: "Runtime" }, "admin")).toThrow(
    'The API key "Runtime" does not have the scope admin',
  );
});

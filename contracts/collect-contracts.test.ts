import { expect, test } from "vitest";
import { collectContracts } from "./collect-contracts";
import { type Contract, defineContract, type Navigation } from "./define-contract";
import * as generated from "./generated";
import { contracts } from "./index";

const noun = (rest: Partial<Contract>): Contract => ({ reference: { name: "Noun", description: "A noun." }, endpoints: {}, ...rest });
const page = (path: `/${string}`, after: `/${string}` | null, key: string): Navigation => ({
  label: path,
  path,
  icon: "IconTool",
  key,
  group: "work",
  after,
});

test("the generated lists are those of the contracts", () => {
  const { permissions, implied, rolePermissions, audit, events, origins, actors, toolSources } = collectContracts(contracts);
  expect(generated.permissionWords).toEqual(permissions);
  expect(generated.impliedPermissions).toEqual(implied);
  expect(generated.declaredRolePermissions).toEqual(rolePermissions);
  expect(generated.auditEventWords).toEqual(audit);
  expect(generated.subscribedEventWords).toEqual(events);
  expect(generated.conversationOrigins).toEqual(origins);
  expect(generated.actorTypes).toEqual(actors);
  expect(generated.toolSources).toEqual(toolSources);
  expect(Object.keys(audit).length).toBeGreaterThan(60);
});

test("a name that two nouns declare is refused", () => {
  const declaring = noun({ audit: { "thing.made": "Thing made" } });
  expect(() => collectContracts({ one: declaring, two: declaring })).toThrow("two: the audit event thing.made is declared twice");
  const source = noun({ toolSources: ["things"] });
  expect(() => collectContracts({ one: source, two: source })).toThrow("two: the source of tools things is declared twice");
});

test("a page stands right behind the one that it names, wherever its noun is listed", () => {
  const { navigation } = collectContracts({
    late: noun({ navigation: page("/late", "/middle", "l") }),
    first: noun({ navigation: page("/", null, "f") }),
    last: noun({ navigation: page("/last", "/middle", "z") }),
    middle: noun({ navigation: page("/middle", "/", "m") }),
  });
  expect(navigation.map(({ path }) => path)).toEqual(["/", "/middle", "/last", "/late"]);
});

test("a page behind none and a key that is taken are refused", () => {
  const first = noun({ navigation: page("/", null, "a") });
  expect(() => collectContracts({ first, second: noun({ navigation: page("/b", "/nowhere", "b") }) })).toThrow("/b after /nowhere");
  expect(() => collectContracts({ first, second: noun({ navigation: page("/b", "/", "a") }) })).toThrow("the key a");
});

test("of two pages after the same one, the one of the earlier group comes first, whichever is declared first", () => {
  const first = noun({ navigation: page("/", null, "a") });
  const later = noun({ navigation: { ...page("/later", "/", "b"), group: "admin" } });
  const own = noun({ navigation: page("/own", "/", "c") });
  for (const contracts of [
    { first, later, own },
    { first, own, later },
  ]) {
    expect(collectContracts(contracts).navigation.map(({ path }) => path)).toEqual(["/", "/own", "/later"]);
  }
});

test("a page that stands after a page of a later group is refused", () => {
  const first = noun({ navigation: { ...page("/", null, "a"), group: "admin" } });
  expect(() => collectContracts({ first, second: noun({ navigation: page("/b", "/", "b") }) })).toThrow(
    "/b of the group work stands after /",
  );
});

test("a contract keeps its endpoints by name", () => {
  const contract = defineContract({
    reference: { name: "Things", description: "Things." },
    endpoints: {},
    permissions: { "things:read": "See" },
  });
  expect(Object.keys(contract.permissions ?? {})).toEqual(["things:read"]);
});

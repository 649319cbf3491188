import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { listPrompts, listResources } from "./list-contents";

const options = { signal: new AbortController().signal, timeout: 1_000 };

/** A server whose lists answer by the method and the cursor that they are asked with. */
function serverOf(answers: Record<string, (cursor: string | undefined) => object>): Client {
  const client: Pick<Client, "getServerCapabilities" | "request"> = {
    getServerCapabilities: () => ({ resources: {}, prompts: {} }),
    request: async ({ method, params }: { method: string; params?: { cursor?: string } }) =>
      (answers[method] ?? (() => ({ resourceTemplates: [] })))(params?.cursor) as never,
  };
  return client as Client;
}

test("a list whose cursor comes again ends there, names each entry once, and says that more may be missing", async () => {
  const client = serverOf({
    "resources/list": (cursor) => ({ resources: [{ uri: `note://${cursor ?? "first"}` }, { uri: "note://same" }], nextCursor: "next" }),
    "prompts/list": () => ({ prompts: [{ name: "review" }], nextCursor: "next" }),
  });
  const resources = await listResources(client, options);
  expect(resources.items.map(({ uri }) => uri)).toEqual(["note://first", "note://next", "note://same"]);
  expect(resources.notes).toEqual(["Listed 3 resources; the server repeats its cursor, so resources on further pages may be missing."]);
  const prompts = await listPrompts(client, options);
  expect(prompts.items.map(({ name }) => name)).toEqual(["review"]);
  expect(prompts.notes).toEqual(["Listed 1 prompt; the server repeats its cursor, so prompts on further pages may be missing."]);
});

test("a list of more than 2,000 entries is cut and says so; one of exactly 2,000 is whole", async () => {
  const many = (count: number) =>
    serverOf({ "prompts/list": () => ({ prompts: Array.from({ length: count }, (_, index) => ({ name: `p${index}` })) }) });
  expect((await listPrompts(many(2_000), options)).notes).toEqual([]);
  const cut = await listPrompts(many(2_001), options);
  expect([cut.items.length, cut.notes]).toEqual([2_000, ["Listed 2,000 prompts; the server has more of them."]]);
});

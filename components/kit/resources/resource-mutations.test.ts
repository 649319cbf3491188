import { MutationObserver, QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test } from "vitest";
import { defineResource, type Resource, type ResourceRow } from "./define-resource";
import { orderMutation, switchMutation } from "./resource-mutations";

type Row = ResourceRow & { enabled: boolean };
type Lamps = Resource<Row, { name: string; enabled: boolean }, Row>;

const { list, all } = defineResource({
  key: "lamps",
  noun: "lamp",
  endpoints: {
    list: { method: "GET", path: "/api/v1/lamps" },
    create: { method: "POST", path: "/api/v1/lamps" },
    update: { method: "PUT", path: "/api/v1/lamps/{id}" },
    remove: { method: "DELETE", path: "/api/v1/lamps/{id}" },
  },
}) as unknown as Lamps;

const desk: Row = { id: "1", name: "Desk", version: 1, enabled: false };
const hall: Row = { id: "2", name: "Hall", version: 1, enabled: true };
const refusal = new Error("Somebody else changed it");

const clients: QueryClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** A page with two lamps, whose API is `api`. */
function page(api: Partial<Lamps>) {
  const client = new QueryClient();
  clients.push(client);
  client.setQueryData(list().queryKey, { items: [desk, hall] });
  const lamps = { list, all, toDraft: ({ name, enabled }: Row) => ({ name, enabled }), ...api } as Lamps;
  const shown = () => client.getQueryData(list().queryKey)?.items ?? [];
  return { client, lamps, shown };
}

test("a switch is shown at once and reverted after a refusal", async () => {
  const answer = Promise.withResolvers<Row>();
  const { client, lamps, shown } = page({ update: () => answer.promise });
  const switching = new MutationObserver(client, switchMutation(client, lamps)).mutate({ row: desk, enabled: true });
  await expect.poll(() => shown()[0]?.enabled).toBe(true);
  answer.reject(refusal);
  await expect(switching).rejects.toBe(refusal);
  expect(shown()).toEqual([desk, hall]);
});

test("a second switch waits for the first and sends the version that it created", async () => {
  const sent: { version: number; enabled: boolean }[] = [];
  const { client, lamps, shown } = page({
    update: async (row, draft) => {
      sent.push({ version: row.version, enabled: draft.enabled });
      return { ...desk, ...draft, version: row.version + 1 };
    },
  });
  const change = (enabled: boolean) => new MutationObserver(client, switchMutation(client, lamps)).mutate({ row: desk, enabled });
  await Promise.all([change(true), change(false)]);
  expect(sent).toEqual([
    { version: 1, enabled: true },
    { version: 2, enabled: false },
  ]);
  expect(shown()[0]).toEqual({ ...desk, version: 3 });
});

test("an order is shown at once, replaced by the stored one, and reverted after a refusal", async () => {
  const stored = page({ order: async (rows) => ({ items: rows.map((row) => ({ ...row, version: 2 })) }) });
  await new MutationObserver(stored.client, orderMutation(stored.client, stored.lamps)).mutate([hall, desk]);
  expect(stored.shown().map(({ name, version }) => [name, version])).toEqual([
    ["Hall", 2],
    ["Desk", 2],
  ]);

  const answer = Promise.withResolvers<never>();
  const refused = page({ order: () => answer.promise });
  const ordering = new MutationObserver(refused.client, orderMutation(refused.client, refused.lamps)).mutate([hall, desk]);
  await expect.poll(() => refused.shown()[0]?.name).toBe("Hall");
  answer.reject(refusal);
  await expect(ordering).rejects.toBe(refusal);
  expect(refused.shown()).toEqual([desk, hall]);
});

import { randomUUID } from "node:crypto";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { overviewEndpoints } from "@/contracts/operations/overview";
import { turnEndpoints } from "@/contracts/turns/turns";
import { expect, readProblem, test } from "../fixtures";

test("the overview counts calls as they happen, and is small", async ({ api }) => {
  const missing = `missing_${randomUUID().slice(0, 8)}`;
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  const calls = Array.from({ length: 12 }, (_, place) => ({ id: `${place}`, name: missing }));
  await api.agent.call(turnEndpoints.submit, { params: { id }, body: { calls } });
  await expect
    .poll(async () => {
      const { troubles, topTools } = await api.viewer.call(overviewEndpoints.get);
      const trouble = troubles.find(({ tool }) => tool === missing);
      return [(trouble?.failed ?? 0) + (trouble?.denied ?? 0), topTools.find(({ tool }) => tool === missing)?.calls];
    })
    .toEqual([12, 12]);
  const response = await api.viewer.send(overviewEndpoints.get, { query: { range: "30d" } });
  const text = await response.text();
  // The page asks for it every 30 seconds.
  expect(text.length).toBeLessThan(10_000);
  expect(JSON.parse(text).setup.agentConnected).toBe(true);
});

test("an overview of a range that there is none of is refused by name", async ({ api }) => {
  const response = await api.viewer.fetch("/api/v1/overview?range=1y");
  expect(response.status).toBe(422);
  expect(await readProblem(response)).toMatchObject({ errors: [{ path: "range" }] });
});

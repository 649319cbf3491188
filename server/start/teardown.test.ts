import { expect, test } from "vitest";
import { makeTeardown } from "./teardown";

test("what was started last is ended first, and nothing that fails or hangs keeps the rest from being ended", async () => {
  const ended: string[] = [];
  const complaints: string[] = [];
  const teardown = makeTeardown((sentence) => complaints.push(sentence));
  teardown.add("Postgres", () => ended.push("Postgres"));
  teardown.add("Jobs", () => Promise.reject(new Error("no connection")));
  teardown.add("Requests", () => new Promise(() => {}), { limitMs: 20 });
  teardown.add("The port", async () => ended.push("The port"));
  await teardown.run();
  expect(ended).toEqual(["The port", "Postgres"]);
  expect(complaints).toEqual(["Requests did not end within 0.02 s", "Jobs did not end well: no connection"]);
  await teardown.run();
  expect(ended).toHaveLength(2);
});

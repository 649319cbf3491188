import { expect, test } from "vitest";
import { makeTeardown } from "./teardown";

test("the last step to start ends first, and a step that fails or hangs does not hold up the others", async () => {
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

import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { problemResponse } from "./problem";

const closed = Object.assign(new Error("write CONNECTION_CLOSED 127.0.0.1:5432"), { code: "CONNECTION_CLOSED" });
const starting = Object.assign(new Error("the database system is starting up"), { code: "57P03" });

test.each([
  ["a connection that broke", new DrizzleQueryError("select secret", [], closed)],
  ["a Postgres that is starting", starting],
])("a request that meets %s is asked to come again, and told nothing internal", async (_what, error) => {
  const response = problemResponse(error, "r-1");
  expect(response.status).toBe(503);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await response.json()).toMatchObject({ code: "unavailable", requestId: "r-1", detail: expect.not.stringContaining("secret") });
});

test("an error that nobody foresaw is a 500 with nothing but the request's id", async () => {
  const response = problemResponse(new Error("the secret reason"), "r-2");
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
});

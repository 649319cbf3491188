import { DrizzleQueryError } from "drizzle-orm";
import { expect, test } from "vitest";
import { loggableError } from "./loggable-error";

test("the values of a failed statement are not logged, its text and reason are", () => {
  const reason = Object.assign(new Error("duplicate key"), { code: "23505", connection: { password: "hunter2" } });
  const logged = loggableError(new DrizzleQueryError("insert into users values ($1)", ["hunter2\nparams: hunter2"], reason));
  expect(logged.message).toBe("Failed query: insert into users values ($1)");
  expect(logged.cause).toMatchObject({ message: "duplicate key", code: "23505" });
  expect(JSON.stringify(logged)).not.toContain("hunter2");
});

test("an error that is its own cause is logged to a depth", () => {
  const error = new Error("round");
  error.cause = error;
  expect(JSON.stringify(loggableError(error)).match(/"message"/g)).toHaveLength(5);
});

test("a thrown value that is no error is logged as text", () => {
  expect(loggableError("plain")).toEqual({ type: "string", message: "plain" });
});

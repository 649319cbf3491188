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

test("a copy of an error is logged with its message, and no object as [object Object]", () => {
  const reason = Object.assign(new Error("terminating connection"), { code: "57P01" });
  expect(loggableError({ ...reason, message: reason.message, stack: "Error: terminating connection", queue: "webhooks" })).toEqual({
    type: "object",
    message: "terminating connection",
    stack: "Error: terminating connection",
    code: "57P01",
  });
  expect(loggableError({ host: "db" })).toEqual({ type: "object", message: "an object without a message" });
});

test("a long statement that failed is logged by its beginning, in the stack too", () => {
  const statement = `select ${"column, ".repeat(500)} 1`;
  const logged = loggableError(new DrizzleQueryError(statement, [], new Error("the database system is shutting down")));
  expect(logged.message).toMatch(/^Failed query: select column, .* …$/);
  expect(logged.message.length).toBeLessThan(220);
  expect(logged.stack?.length).toBeLessThan(statement.length);
});

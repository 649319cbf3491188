import { expect, test } from "vitest";
import { AppError } from "@/server/platform/errors";
import { failureOf } from "./test-data-source";

test("a connection that takes too long names what its kind of source has: host and port, or a file", () => {
  const late = new AppError("timed_out", "The query was stopped");
  expect(failureOf({ kind: "postgresql" }, late)).toBe("Nothing answered within 5 seconds. Check host and port.");
  expect(failureOf({ kind: "sqlite" }, late)).toBe(
    "The file was not opened within 5 seconds. This server is busy, or another program holds the file. Try again.",
  );
  expect(failureOf({ kind: "sqlite" }, new AppError("invalid", "No such file"))).toBe("No such file");
});

import { expect, test } from "vitest";
import { callLines } from "./call-lines";

test("equal calls in a row are one line, and others are not", () => {
  const call = (name: string, summary = "") => ({ name, summary, status: "succeeded" as const });
  expect(
    callLines([call("date_time"), call("date_time"), call("shell_execute", "ls"), call("shell_execute", "pwd"), call("date_time")]),
  ).toEqual([
    { name: "date_time", summary: "", times: 2 },
    { name: "shell_execute", summary: "ls", times: 1 },
    { name: "shell_execute", summary: "pwd", times: 1 },
    { name: "date_time", summary: "", times: 1 },
  ]);
});

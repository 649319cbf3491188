import { expect, test } from "vitest";
import { processTool } from "./process";

test.each([
  [{ action: "start" }, "command"],
  [{ action: "write", id: "proc_00000000" }, "command"],
  [{ action: "poll" }, "id"],
  [{ action: "kill", id: "1 OR 1" }, "id"],
  [{ action: "list", command: "x" }, "command"],
])("the arguments %j are refused by name", (args, name) => {
  expect(processTool.parse(args)).toMatchObject({ ok: false, message: expect.stringContaining(`${name}: `) });
});

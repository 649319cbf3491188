import { expect, test } from "vitest";
import { shellLaws } from "@/server/testing/shell-laws";
import { sandboxStatus } from "../sandbox/sandbox-status";

test("these tests run in the sandbox", () => {
  expect(sandboxStatus()).toMatchObject({ isOn: true, kind: "bubblewrap" });
});

shellLaws({ added: ["LOGNAME", "PWD", "TMPDIR", "USER"] });

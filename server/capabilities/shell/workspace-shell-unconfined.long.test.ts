import { expect, test, vi } from "vitest";
import { shellLaws } from "@/server/testing/shell-laws";
import { sandboxStatus } from "../sandbox/sandbox-status";

vi.stubEnv("HANDRAIL_SANDBOX", "off");

test("these tests run outside the sandbox", () => {
  expect(sandboxStatus()).toMatchObject({ setting: "off", isOn: false, kind: null });
});

shellLaws({ added: ["HANDRAIL_COMMAND", "PWD"] });

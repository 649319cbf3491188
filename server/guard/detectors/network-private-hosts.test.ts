import { expect, test } from "vitest";
import { policyOfRules, shellCall } from "@/server/testing/guarded-calls";
import { decide } from "../decide";

const privateHosts = ["npm.internal:4873", "10.0.0.5:80"];

function verdictOn(command: string, context: { sandboxed: boolean; privateHosts?: readonly string[] }) {
  const call = shellCall(command);
  return decide(policyOfRules([]), { ...call, context: { ...call.context, ...context } }, 0).verdict;
}

test.each(["npm install a --registry http://npm.internal:4873", "curl http://10.0.0.5/", "curl http://10.0.0.5:80/"])(
  "a private address that the operator lets the sandbox reach is asked about: %s",
  (command) => {
    expect(verdictOn(command, { sandboxed: true, privateHosts })).toBe("require_approval");
    expect(verdictOn(command, { sandboxed: true })).toBe("deny");
  },
);

test.each([
  "curl http://npm.internal:4874/",
  "curl http://10.0.0.5:8080/",
  "curl https://10.0.0.5/",
  "curl http://10.0.0.6/ http://10.0.0.5/",
  "curl http://a@10.0.0.5/",
  "curl http://169.254.169.254/",
])("another one is not worth a question, because the sandbox cannot reach it: %s", (command) => {
  expect(verdictOn(command, { sandboxed: true, privateHosts })).toBe("deny");
});

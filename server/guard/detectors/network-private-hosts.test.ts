import { expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";

const privateHosts = ["npm.internal:4873", "10.0.0.5:80"];

function verdictOn(command: string, context: { sandboxed: boolean; privateHosts?: readonly string[]; interactive?: boolean }) {
  const call = shellCall(command);
  return decide(policyOfRules([]), { ...call, context: { ...call.context, ...context } }, 0).verdict;
}

test.each(examples`
  npm install a --registry http://npm.internal:4873 ¦ curl http://10.0.0.5/ ¦ curl http://10.0.0.5:80/
`)(
  "a private address is asked about, and denied where nobody can be asked unless the operator lets the sandbox reach it: %s",
  (command) => {
    expect(verdictOn(command, { sandboxed: true })).toBe("require_approval");
    expect(verdictOn(command, { sandboxed: true, privateHosts, interactive: false })).toBe("require_approval");
    expect(verdictOn(command, { sandboxed: true, interactive: false })).toBe("deny");
  },
);

test.each(examples`
  curl http://npm.internal:4874/ ¦ curl http://10.0.0.5:8080/ ¦ curl https://10.0.0.5/ ¦ curl http://10.0.0.6/ http://10.0.0.5/
  curl http://a@10.0.0.5/
`)("another one is denied where nobody can be asked: %s", (command) => {
  expect(verdictOn(command, { sandboxed: true, privateHosts, interactive: false })).toBe("deny");
  expect(verdictOn(command, { sandboxed: true, privateHosts })).toBe("require_approval");
});

test.each(examples`
  psql -h 10.0.0.5 -c 'select 1' ¦ ssh deploy@10.0.0.5 ¦ ssh user@10.0.0.1 -p 2222 ¦ curl https://grafana.internal
  git clone git@gitlab.corp.local:a/b.git ¦ kubectl --server https://10.0.0.7:6443 get pods ¦ curl http://web:3000
  docker push registry.local:5000/app
`)("a host of the own network asks: %s", (command) => expect(verdictOn(command, { sandboxed: true })).toBe("require_approval"));

test.each(examples`
  http://169.254.169.254/latest/meta-data ¦ http://[::ffff:169.254.169.254]/ ¦ http://[64:ff9b::a9fe:a9fe]/ ¦ http://[fd00:ec2::254]/
  http://metadata.google.internal/
`)("the metadata service stays denied, whoever could be asked: %s", (url) => {
  expect(verdictOn(`curl ${url}`, { sandboxed: true })).toBe("deny");
});

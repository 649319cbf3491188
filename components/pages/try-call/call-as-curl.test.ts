import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { callAsCurl } from "./call-as-curl";

test("a shell hands curl exactly the arguments, quotes and line breaks included", () => {
  const args = { command: `echo "it's" $HOME \`id\` \\\nls` };
  const script = callAsCurl({ tool: "shell_execute", args, agent: "support", publicUrl: "http://localhost:3000" });
  // The fake `curl` prints the body after -d, and answers the first command with an id.
  const curl = `curl() { while [ "$1" != "-d" ]; do case "$1" in http*) url=$1;; esac; shift; done; case "$url" in
    */conversations) printf '{"id":"0190","agentId":"9","body":%s}' "$2";; *) printf '%s %s' "$url" "$2";; esac; }`;
  const printed = execFileSync("sh", ["-c", `${curl}\n${script}`], { encoding: "utf8" });
  const [url, ...body] = printed.split(" ");
  expect(url).toBe("http://localhost:3000/api/v1/conversations/0190/turns");
  expect(JSON.parse(body.join(" "))).toEqual({ calls: [{ id: "1", name: "shell_execute", arguments: args }], wait: 60 });
});

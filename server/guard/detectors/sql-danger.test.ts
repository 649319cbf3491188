import { expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { buildRequest, mcpTool, policyOfRules, shellCall, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardRequest } from "../call/guard-request";
import { decide } from "../decide";

const policy = policyOfRules([{ verdict: "allow" }]);
const idsOf = (call: GuardRequest) =>
  decide(policy, call).findings.flatMap(({ detector }) => (detector.startsWith("sql.") ? [detector] : []));
const inShell = (command: string) => idsOf(shellCall(command));
const inMcp = (args: JsonObject, name = "notes__save_note") => idsOf(buildRequest({ ...mcpTool, name }, args));

test("statements are found wherever a client gets them", () => {
  for (const command of [
    'mysql -e "drop table x"',
    'sqlite3 app.db "drop table x"',
    "psql --command='drop table x'",
    'echo "drop table x" | psql',
    "psql <<< 'drop table x'",
    'docker exec db psql -U me -c "drop table x"',
    "sudo -u postgres psql -c 'drop table x'",
  ])
    expect(inShell(command), command).toContain("sql.drop");
  expect(inShell("psql -c '\\! ls'")).toContain("sql.program");
  expect(inShell("sqlite3 x.db '.shell ls'")).toContain("sql.program");
  expect(inShell('echo "drop table x"')).toEqual([]);
  expect(inShell("grep -rn 'drop table x' migrations")).toEqual([]);
});

test("a tool that is for something else is asked about SQL only when a text evidently is", () => {
  expect(inMcp({ anything: "DROP TABLE users" })).toContain("sql.drop");
  expect(inMcp({ query: "drop shipping companies" })).toEqual([]);
  expect(inMcp({ text: "Update the docs and delete from memory" })).toEqual([]);
  expect(idsOf(buildRequest(writeTool, { path: "drop.sql", content: "DROP TABLE users;" }))).toEqual([]);
});

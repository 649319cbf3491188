import { expect, test } from "vitest";
import { fillReferences } from "./fill-references";
import { readConfig } from "./read-config";

const filled = (server: object) => {
  const [read] = readConfig(JSON.stringify({ mcpServers: { a: server } }));
  if (!read) throw new Error("there is a server");
  return fillReferences(read, ["LISTED"]);
};

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is how a reference is written
test("what the server's own env defines is its program's to fill in among the arguments, and filled in elsewhere", () => {
  const remote = filled({
    command: "npx",
    args: ["mcp-remote", "https://example.com/mcp", "--header", "Authorization: Bearer ${TOK}"],
    env: { TOK: "secret" },
  });
  expect(remote).toMatchObject({ missing: [], settings: { env: { TOK: "secret" } } });
  expect(remote.settings.args[3]).toBe("Authorization: Bearer $${TOK}");
  const http = filled({ url: "https://example.com/${KEY}", headers: { "X-Key": "${KEY}" }, env: { KEY: "k" } });
  expect(http).toMatchObject({ missing: [], settings: { url: "https://example.com/k", headers: { "X-Key": "k" } } });
});

test("what servers may not read is asked for, in the words of every program, and what they may read stays", () => {
  const asked = filled({
    command: "x",
    args: ["--key=${KEY}"],
    env: { A: "${env:GITLAB_TOKEN}", B: "$MY_KEY", C: "${LISTED}", D: "${MCP_D}" },
  });
  expect(asked.missing).toEqual(["args.0", "env.A", "env.B"]);
  expect(asked.settings).toMatchObject({ args: [""], env: { A: "", B: "", C: "${LISTED}", D: "${MCP_D}" } });
  expect(filled({ command: "x", env: { E: "$env:WEATHER_KEY" } }), "written for Handrail").toMatchObject({
    missing: [],
    settings: { env: { E: "$env:WEATHER_KEY" } },
  });
  expect(asked.notes).toContain("Type the value of env.A: GITLAB_TOKEN is known to the other program only.");
});

test("a default stays where nothing else gives the variable a value, and the snippet's own env comes first", () => {
  const [read] = readConfig(
    JSON.stringify({ a: { command: "x", args: ["${PORT:-3000}", "${OWN:-1}"], env: { OWN: "2", B: "${MCP_B:-b}", C: "${MCP_C:-c}" } } }),
  );
  if (!read) throw new Error("there is a server");
  const { settings, missing, notes } = fillReferences(read, [], { MCP_C: "set", PORT: "not for servers" });
  expect(settings).toMatchObject({ args: ["3000", "$${OWN}"], env: { OWN: "2", B: "b", C: "${MCP_C}" } });
  expect(missing).toEqual([]);
  expect(notes).toEqual(['args.0 has the default "3000" of PORT.', 'env.B has the default "b" of MCP_B.']);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: this is how a reference is written

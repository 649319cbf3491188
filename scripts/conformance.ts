/**
 * Runs the server scenarios of the official MCP conformance suite against /mcp of the built product, and writes what was seen
 * to docs/conformance.md. The suite's fixture tools stand behind Handrail as an MCP server.
 */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { withFolder } from "../bench/with-folder";
import { identityEndpoints } from "../contracts/identity";
import { mcpServerEndpoints } from "../contracts/mcp-servers";
import { caller } from "../e2e/caller";
import { adminEmail, adminPassword, startProduct } from "../e2e/product";
import { startFixtureServer } from "./conformance/fixture-server";
import { startKeyProxy } from "./conformance/key-proxy";

const suite = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
const revisions = ["2025-11-25", "2026-07-28"] as const;
const alias = "conformance";
const root = path.resolve(import.meta.dirname, "..");

/** Parts of the protocol that /mcp does not offer, by the scenarios that need them. */
const notOffered: readonly [RegExp, string][] = [
  [/^prompts-/, "prompts"],
  [/^completion-/, "completions"],
  [/^logging-|with-logging$/, "log messages"],
  [/^resources-(read|templates|subscribe|unsubscribe)/, "the suite's own resources; artifacts are the only ones"],
  [/^(tools-call-sampling|tools-call-elicitation|elicitation-)/, "questions of a tool to the client's model or user"],
  [/^input-required-result-/, "questions of a tool to the client's model or user; approvals use the same answer"],
  [/^tasks-mrtr-/, "questions of a tool to the client's model or user"],
  [/^tasks-required-/, "tools that run as a task only"],
  [/^sep-2640-/, "the skills extension"],
];

type Check = { id: string; status: string; errorMessage?: string };
type Seen = { scenario: string; passed: number; failed: number; skipped: number; messages: string[] };

const seen = await withFolder(async (folder) => {
  const product = await startProduct({ dataDir: path.join(folder, "data"), name: "conformance" });
  const upstream = await startFixtureServer();
  const stops: (() => void)[] = [upstream.stop];
  try {
    const key = product.agentKey() ?? "";
    const { token } = await caller(product.url, null).call(identityEndpoints.token, {
      body: { email: adminEmail, password: adminPassword },
    });
    const admin = caller(product.url, token);
    await admin.call(mcpServerEndpoints.create, { body: { alias, transport: "streamable_http", url: upstream.url, tier: "core" } });
    const proxy = await startKeyProxy({ target: product.url, key, alias });
    stops.push(proxy.stop);
    const results: Record<string, Seen[]> = {};
    for (const revision of revisions) results[revision] = await runSuite(proxy.url, revision, path.join(folder, revision));
    return results;
  } finally {
    for (const stop of stops) stop();
    await product.stop();
  }
});
writeFileSync(path.join(root, "docs/conformance.md"), report(seen));
process.stdout.write("docs/conformance.md is written\n");

async function runSuite(url: string, revision: string, output: string): Promise<Seen[]> {
  const command = ["--yes", suite, "server", "--url", url, "--requirements", revision, "--output-dir", output];
  const child = spawn("npx", command, { stdio: ["ignore", "inherit", "inherit"] });
  await new Promise((resolve) => child.once("exit", resolve));
  return readdirSync(output)
    .sort()
    .map((name) => readScenario(output, name));
}

function readScenario(output: string, name: string): Seen {
  const checks: Check[] = JSON.parse(readFileSync(path.join(output, name, "checks.json"), "utf8"));
  const count = (...statuses: string[]) => checks.filter(({ status }) => statuses.includes(status)).length;
  return {
    scenario: name.replace(/^server-(?=.*-\d{4}-\d{2}-\d{2}T)/, "").replace(/-\d{4}-\d{2}-\d{2}T.*$/, ""),
    passed: count("SUCCESS"),
    failed: count("FAILURE", "WARNING"),
    skipped: count("SKIPPED", "INFO"),
    messages: checks.flatMap(({ status, errorMessage }) =>
      status === "FAILURE" || status === "WARNING" ? [errorMessage ?? "no message"] : [],
    ),
  };
}

function report(results: Record<string, Seen[]>): string {
  const lines = [
    "# Conformance",
    "",
    `Server scenarios of \`${suite}\` against \`/mcp\`, run by \`npx tsx --conditions=react-server scripts/conformance.ts\` on ${new Date().toISOString().slice(0, 10)}.`,
    "The suite's fixture tools stand behind Handrail as an MCP server, so a call passes the guard and comes back. A proxy adds the API",
    "key, and the alias to the names of the fixture tools, because the suite knows neither.",
    "",
    "Known causes of failures: an upstream tool's embedded resource comes back as text, its schema loses `$schema`, `caching` asks for",
    "prompts, `server-stateless` and `tasks-lifecycle` ask for diagnostic tools that a guarded server does not have, and a tool that does not",
    "exist is a result with `isError`, which a model can act on.",
    "",
  ];
  for (const [revision, scenarios] of Object.entries(results)) {
    const offered = scenarios.filter(({ scenario, passed, failed }) => reasonFor(scenario) === null && passed + failed > 0);
    const passed = offered.filter(({ failed }) => failed === 0);
    lines.push(`## ${revision}`, "", `${passed.length} of ${offered.length} scenarios of what /mcp offers pass.`, "");
    lines.push("| scenario | checks passed | checks failed | note |", "|---|---|---|---|");
    for (const { scenario, passed, failed, messages } of scenarios) {
      const reason = reasonFor(scenario);
      const note =
        reason && failed > 0 ? `not offered: ${reason}` : messages.join("; ").replaceAll("|", "\\|").replace(/\s+/g, " ").slice(0, 300);
      lines.push(`| ${scenario} | ${passed} | ${failed} | ${note} |`);
    }
    lines.push("");
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function reasonFor(scenario: string): string | null {
  return notOffered.find(([pattern]) => pattern.test(scenario))?.[1] ?? null;
}

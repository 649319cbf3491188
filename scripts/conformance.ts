/**
 * Runs the server scenarios of the official MCP conformance suite against /mcp of the built product, and writes what was seen
 * to docs/conformance.md. The suite's fixtures stand behind Handrail as an MCP server.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { withFolder } from "../bench/with-folder";
import { identityEndpoints } from "../contracts/identity/identity";
import { mcpServerEndpoints } from "../contracts/mcp/mcp-servers";
import { caller } from "../e2e/caller";
import { adminEmail, adminPassword, startProduct } from "../e2e/product";
import { reasonFor, warningFor } from "../server/testing/conformance/reasons";
import { runConformance, type Seen, scoredScenarios } from "../server/testing/conformance/run-suite";
import { startFixtureServer } from "./conformance/fixture-server";
import { startKeyProxy } from "./conformance/key-proxy";

const revisions = ["2025-11-25", "2026-07-28"] as const;
const alias = "conformance";
const root = path.resolve(import.meta.dirname, "..");
const begin = "<!-- server scenarios: written by npm run conformance -->";
const end = "<!-- end of server scenarios -->";

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
    // The fixtures say that they only read. Without trust each call would ask a person first.
    const traits = { tier: "core", trustHints: true, offerContents: true } as const;
    const body = { alias, transport: "streamable_http", url: upstream.url, ...traits } as const;
    const { id } = await admin.call(mcpServerEndpoints.create, { body });
    await untilConnected(async () => (await admin.call(mcpServerEndpoints.get, { params: { id } })).status);
    const proxy = await startKeyProxy({ target: product.url, key, alias });
    stops.push(proxy.stop);
    const results: Record<string, Seen[]> = {};
    for (const revision of revisions) {
      results[revision] = await runConformance(["server", "--requirements", revision, "--url", proxy.url], path.join(folder, revision));
    }
    return results;
  } finally {
    for (const stop of stops) stop();
    await product.stop();
  }
});
const file = path.join(root, "docs/conformance.md");
const [before = "", rest = ""] = readFileSync(file, "utf8").split(begin);
writeFileSync(file, `${before}${begin}\n\n${report(seen)}\n${end}${rest.split(end)[1] ?? "\n"}`);
process.stdout.write("docs/conformance.md is written\n");

/** Waits until the product has connected the fixtures. @throws Error after half a minute */
async function untilConnected(readStatus: () => Promise<string>): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (let status = await readStatus(); status !== "connected"; status = await readStatus()) {
    if (Date.now() > deadline) throw new Error(`The fixtures' server is still ${status} after 30 s`);
    await pause(100);
  }
}

function report(results: Record<string, Seen[]>): string {
  const lines = [`Last run: ${new Date().toISOString().slice(0, 10)}.`, ""];
  for (const [revision, scenarios] of Object.entries(results)) {
    const names = scoredScenarios("server", revision);
    const scored = scenarios.filter(({ scenario }) => names.includes(scenario));
    const passed = scored.filter(({ failed }) => failed === 0);
    const warned = passed.filter((scenario) => scenario.warned > 0).length;
    const withWarnings = warned > 0 ? `, ${warned} of them with a warning` : "";
    lines.push(`### ${revision}`, "", `${passed.length} of ${scored.length} scored scenarios pass${withWarnings}.`, "");
    lines.push("| scenario | scored | checks passed | checks failed | note |", "|---|---|---|---|---|");
    for (const { scenario, failed, messages, ...counted } of scenarios) {
      const note =
        failed + counted.warned === 0
          ? ""
          : (reasonFor(scenario) ?? warningFor(scenario) ?? messages.join("; ").replaceAll("|", "\\|").slice(0, 300));
      lines.push(`| ${scenario} | ${names.includes(scenario) ? "yes" : "no"} | ${counted.passed} | ${failed} | ${note} |`);
    }
    lines.push("");
  }
  return lines.join("\n");
}

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = path.resolve(import.meta.dirname, "..");

/** A file of each layer with one import that must be refused and one that must not. */
const layers = [
  ["contracts/probe.ts", "@/server/platform/env", "./common"],
  ["contracts/probe.ts", "react", "zod"],
  ["contracts/probe.ts", "node:fs", "zod"],
  ["components/tools/probe.tsx", "@/server/tools/registry", "@/contracts/tools"],
  ["components/tools/probe.tsx", "../../server/tools/registry", "../api/call"],
  ["components/tools/probe.tsx", "@/db/schema", "react"],
  ["components/tools/probe.tsx", "@/app/layout", "./tool-table"],
  ["app/probe.ts", "@/db/client", "@/server/tools/list-tools"],
  ["app/api/v1/tools/probe.ts", "../../../../db/client", "@/components/tools/queries"],
  ["db/probe.ts", "@/server/platform/env", "../contracts/tools"],
  ["db/probe.ts", "../server/platform/env", "./columns"],
  ["e2e/api/probe.ts", "@/server/platform/env", "@/contracts/tools"],
  ["server/platform/probe.ts", "@/server/audit/record", "./env"],
  ["server/capabilities/probe.ts", "@/server/agents/list-agents", "@/server/platform/errors"],
  ["server/audit/probe.ts", "@/server/guard/decide", "@/server/auth/actor"],
  ["server/auth/probe.ts", "../approvals/decide-approval", "@/server/audit/record"],
  ["server/agents/probe.ts", "@/server/tools/registry", "@/server/platform/cursor"],
  ["server/conversations/probe.ts", "@/server/turns/cancel-turn", "@/server/agents/list-agents"],
  ["server/webhooks/probe.ts", "@/server/approvals/decide-approval", "@/server/audit/record"],
  ["server/capabilities/probe.ts", "@/server/webhooks/queue-deliveries", "@/server/platform/env"],
  ["server/guard/probe.ts", "@/server/tools/registry", "@/server/audit/record"],
  ["server/approvals/probe.ts", "@/server/turns/resume-turn", "@/server/guard/decide"],
  ["server/approvals/probe.ts", "../../server/turns/resume-turn", "@/contracts/turns"],
  ["server/hooks/probe.ts", "@/server/mcp/connect/connect", "@/server/approvals/ask-approval"],
  ["server/tools/builtin/files/probe.ts", "@/server/mcp/connect/connect", "../../define-tool"],
  ["server/tools/builtin/files/probe.ts", "../../../turns/submit-turn", "@/server/guard/decide"],
  ["server/mcp/connect/probe.ts", "@/server/jobs/start-workers", "@/server/tools/define-tool"],
  ["server/turns/probe.ts", "@/server/http/route", "@/server/mcp/connect/connect"],
  ["server/runs/probe.ts", "../mcp/serve/handler", "@/server/turns/submit-turn"],
  ["server/jobs/probe.ts", "@/server/http/route", "@/server/turns/resume-turn"],
  ["server/http/probe.ts", "@/components/ui/badge", "@/server/auth/actor"],
  ["server/turns/probe.ts", "@/server/start/serve", "@/server/guard/decide"],
  ["server/http/probe.ts", "@/app/layout", "@/server/turns/submit-turn"],
] as const;

const Report = z.object({
  summary: z.object({ changed: z.int(), unchanged: z.int() }),
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string(), start: z.object({ line: z.int() }) }) })),
});

test("the linter refuses every import that goes up the staircase, and no other", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-layers-"));
  try {
    const { vcs: _vcs, $schema: _schema, ...config } = JSON.parse(readFileSync(path.join(root, "biome.json"), "utf8"));
    writeFileSync(path.join(folder, "biome.json"), JSON.stringify(config));
    const probes = layers.map(([file, refused, allowed], index) => {
      const probe = file.replace("probe", `probe-${index}`);
      mkdirSync(path.dirname(path.join(folder, probe)), { recursive: true });
      writeFileSync(path.join(folder, probe), `import "${allowed}";\nimport "${refused}";\n`);
      return probe;
    });

    const biome = path.join(root, "node_modules/@biomejs/biome/bin/biome");
    const rule = "lint/style/noRestrictedImports";
    const options = ["lint", "--only=style/noRestrictedImports", "--reporter=json", "--max-diagnostics=none", "."];
    const { stdout, stderr } = spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: "utf8" });
    expect(stdout, stderr).toMatch(/^\{/);
    const { summary, diagnostics } = Report.parse(JSON.parse(stdout));

    expect(summary.changed + summary.unchanged, "files that the linter looked at").toBeGreaterThanOrEqual(probes.length);
    const found = diagnostics.map(({ category, location }) => `${location.path}:${location.start.line} ${category}`).sort();
    expect(found).toEqual(probes.map((probe) => `${probe}:2 ${rule}`).sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

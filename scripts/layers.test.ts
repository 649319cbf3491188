import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { conversationOrigins, toolSources } from "@/contracts/generated";
import { builtinToolNames } from "@/contracts/generated-tools";
import { importRules } from "./layers";

const root = path.resolve(import.meta.dirname, "..");

/** A file of each layer with one import that must be refused and one that must not. */
const layers = [
  ["contracts/probe.ts", "@/server/platform/env", "./common"],
  ["contracts/probe.ts", "react", "zod"],
  ["contracts/probe.ts", "node:fs", "zod"],
  ["contracts/tools/probe.ts", "../../server/platform/env", "../common"],
  ["contracts/tools/probe.ts", "@/contracts/common", "../decisions/decision"],
  ["contracts/lib/probe.ts", "../agents/agents", "../common"],
  ["contracts/lib/probe.ts", "zod", "./or-list"],
  ["components/nouns/tools/probe.tsx", "@/server/tools/registry", "@/contracts/tools/tools"],
  ["components/nouns/tools/probe.tsx", "../../../server/tools/registry", "../../kit/api/call"],
  ["components/nouns/tools/probe.tsx", "@/db/schema", "react"],
  ["components/nouns/tools/probe.tsx", "@/app/layout", "./tool-table"],
  ["components/kit/ui/probe.tsx", "@/components/nouns/tools/queries", "@/contracts/common"],
  ["components/kit/ui/probe.tsx", "../../pages/frame/destinations", "../api/call"],
  ["components/nouns/tools/probe.tsx", "../../pages/tool/tool-page", "../agents/queries"],
  ["app/probe.ts", "@/db/client", "@/server/tools/admin/list-tools"],
  ["app/api/v1/probe.ts", "../../../db/client", "@/components/nouns/tools/queries"],
  ["db/probe.ts", "@/server/platform/env", "../contracts/tools/tools"],
  ["db/probe.ts", "../server/platform/env", "./columns"],
  ["e2e/api/probe.ts", "@/server/platform/env", "@/contracts/tools/tools"],
  ["server/platform/probe.ts", "@/server/audit/record", "./env"],
  ["server/capabilities/probe.ts", "@/server/agents/list-agents", "@/server/platform/errors"],
  ["server/audit/probe.ts", "@/server/guard/decide", "@/server/auth/actor"],
  ["server/auth/probe.ts", "../approvals/decide-approval", "@/server/audit/record"],
  ["server/agents/probe.ts", "@/server/tools/registry", "@/server/platform/database/cursor"],
  ["server/conversations/probe.ts", "@/server/turns/cancel-turn", "@/server/agents/list-agents"],
  ["server/capabilities/probe.ts", "@/server/conversations/artifacts", "@/server/platform/env"],
  ["server/replicas/probe.ts", "@/server/families/webhooks/family", "@/server/platform/env"],
  ["server/families/webhooks/probe.ts", "@/server/families/hooks/family", "@/server/turns/submit-turn"],
  ["server/families/webhooks/probe.ts", "@/server/http/route", "@/server/endpoints/answer"],
  ["server/families/files/tools/probe.ts", "../../../http/route", "./text-file"],
  ["server/approvals/probe.ts", "@/server/families/webhooks/family", "@/server/platform/extension-points/outbox"],
  ["server/turns/probe.ts", "../families/delegate/family", "@/server/tools/builtin-tools"],
  ["server/tools/probe.ts", "@/server/families", "@/server/policy/own-tools"],
  ["server/guard/probe.ts", "@/server/audit/record", "@/contracts/decisions/decision"],
  ["server/guard/probe.ts", "@/server/policy/policy", "@/server/secrets/mask-secrets"],
  ["server/guard/probe.ts", "@/db/schema", "./decide"],
  ["server/guard/shell/probe.ts", "node:fs", "node:path"],
  ["server/policy/probe.ts", "@/server/tools/registry", "@/server/guard/decide"],
  ["server/secrets/probe.ts", "@/server/audit/record", "./mask-secrets"],
  ["server/approvals/probe.ts", "@/server/turns/resume-turn", "@/server/guard/decide"],
  ["server/approvals/probe.ts", "../../server/turns/resume-turn", "@/contracts/turns/turns"],
  ["server/hooks/probe.ts", "@/server/mcp/connect/connect", "@/server/approvals/ask-approval"],
  ["server/tools/provider/probe.ts", "@/server/mcp/connect/connect", "../define-tool"],
  ["server/tools/provider/probe.ts", "../../turns/submit-turn", "@/server/guard/decide"],
  ["server/mcp/connect/probe.ts", "@/server/jobs/start-workers", "@/server/tools/define-tool"],
  ["server/turns/probe.ts", "@/server/http/route", "@/server/mcp/connect/connect"],
  ["server/runs/probe.ts", "../mcp/serve/handler", "@/server/turns/submit-turn"],
  ["server/jobs/probe.ts", "@/server/http/route", "@/server/turns/resume-turn"],
  ["server/http/probe.ts", "@/components/kit/ui/badge", "@/server/auth/actor"],
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

/** Files of the product below server, without its tests and without the corpus of the guard, which holds recorded calls. */
const sources = globSync("server/**/*.ts", { cwd: root })
  .map((file) => file.split(path.sep).join("/"))
  // Documentation of a tool tells the model which other tool is the better one, as text.
  .filter((file) => !/\.test\.ts$|\.documentation\.ts$|^server\/(testing|guard\/corpus)\//.test(file))
  .map((file) => ({
    file,
    family: /^server\/families\/([^/]+)\//.exec(file)?.[1] ?? null,
    text: readFileSync(path.join(root, file), "utf8"),
  }));

/** The list of families and the list of their variables name them all. */
const familyLists = ["server/families/index.ts", "server/families/environment.ts"];

/** The family of each tool, by the file that defines it. */
const familyOf = new Map(
  sources.flatMap(({ family, text }) => [...text.matchAll(/^ {2}name: "(\w+)",$/gm)].map(([, name = ""]) => [name, family] as const)),
);

/** Tools that share their name with another word of the code, and the rooms that say it: a shell program, a folder, a severity or level of logs. */
const alsoOtherWords = new Map<string, readonly string[]>([
  ["glob", ["server/guard/"]],
  // Actions on a skill, and a word in the addresses of repositories.
  ["patch", ["server/guard/", "server/families/skills/"]],
  ["tree", ["server/guard/", "server/families/skills/packages/"]],
  ["powershell", ["server/guard/"]],
  ["docs", ["server/guard/", "server/families/work-lists/"]],
  ["info", ["server/"]],
  // The form of a model's stream, and the name that providers gave to their own search.
  ["tool_call", ["server/"]],
  ["web_search", ["server/tools/", "server/models/"]],
  // The origin of a conversation, an event of programs, and a step of stateful tools and workflows.
  ["delegate", ["server/runs/", "server/families/"]],
  ["spawn", ["server/mcp/connect/"]],
  ["wait", ["server/turns/", "server/families/workflows/", "server/families/coding-agents/connect/"]],
  // A type of Lark's messages.
  ["todo", ["server/families/messengers/drivers/"]],
  // Names that coding agents gave to tools of their own.
  ["ask_user", ["server/families/coding-agents/native/"]],
  ["read_file", ["server/families/coding-agents/native/"]],
  ["write_file", ["server/families/coding-agents/native/", "server/families/skills/tools/"]],
  // The capability of this name.
  ["jobs", ["server/turns/"]],
  // A member of an approval's answer, from which a grant is made.
  ["remember", ["server/approvals/"]],
]);
const isOtherWord = (name: string, file: string) => alsoOtherWords.get(name)?.some((room) => file.startsWith(room)) ?? false;

/** A word of everyday language counts only where it is written as a name. */
const mentions = (name: string) => new RegExp(name.includes("_") ? `\\b${name}\\b` : `"${name}"`);

test("no file outside a family names its tools, and none outside webhooks names webhooks", () => {
  const names = [...builtinToolNames.map((name) => [name, familyOf.get(name)] as const), ["webhooks", "webhooks"] as const];
  const found = names.flatMap(([name, own]) => {
    expect(own, `the family of ${name}`).toBeTruthy();
    const pattern = name === "webhooks" ? /\bwebhooks\b/ : mentions(name);
    return sources
      .filter(({ file }) => !isOtherWord(name, file))
      .filter(({ file, family, text }) => family !== own && !familyLists.includes(file) && pattern.test(text))
      .map(({ file }) => `${file} says ${name}`);
  });
  expect(sources.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test("contracts, tables and screens name core_execute only in the files of its family", () => {
  const files = globSync("{contracts,db,components,app}/**/*.{ts,tsx}", { cwd: root }).map((file) => file.split(path.sep).join("/"));
  const own = (file: string) => /\bdelegates?\b/.test(file) || file === "contracts/generated-tools.ts";
  const found = files.filter((file) => !own(file) && readFileSync(path.join(root, file), "utf8").includes("core_execute"));
  expect(files.length).toBeGreaterThan(500);
  expect(found).toEqual([]);
});

test("no family imports another, by whatever path", () => {
  const imports = sources.flatMap(({ file, family, text }) =>
    family === null ? [] : [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, target = ""]) => ({ file, family, target })),
  );
  expect(imports.length).toBeGreaterThan(100);
  const others = imports.filter(({ file, family, target }) => {
    const place = target.startsWith("@/")
      ? target.slice(2)
      : target.startsWith(".")
        ? path.posix.join(path.posix.dirname(file), target)
        : "";
    const [, other] = /^server\/families\/([^/]+)\//.exec(place) ?? [];
    return other !== undefined && other !== family;
  });
  expect(others).toEqual([]);
});

test("no file repeats a list that is collected from the contracts", () => {
  const lists = { conversationOrigins, toolSources };
  const files = globSync("{server,contracts,db,components,app}/**/*.{ts,tsx}", { cwd: root })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => !/\.test\.tsx?$|^contracts\/(generated\.ts|browser\/)|^server\/testing\//.test(file));
  const found = files.flatMap((file) => {
    const arrays = readFileSync(path.join(root, file), "utf8").matchAll(/\[((?:\s*"[\w:]+",?){4,})\s*\]/g);
    const words = [...arrays].map(([, members = ""]) => [...members.matchAll(/"([\w:]+)"/g)].map(([, word = ""]) => word));
    return Object.entries(lists).flatMap(([name, list]) =>
      words.some((array) => array.every((word) => (list as readonly string[]).includes(word))) ? [`${file} repeats ${name}`] : [],
    );
  });
  expect(files.length).toBeGreaterThan(1_000);
  // The contract of tools declares the sources that have no noun yet.
  expect(found).toEqual(["contracts/tools/tools.ts repeats toolSources"]);
});

test("every situation in which models hear of a tool is defined once, and one family has the sentence", () => {
  const defined = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/export const (\w+) = definePromptHint\("(\w+)"\)/g)].map(([, variable = "", name = ""]) => ({
      file,
      variable,
      name,
    })),
  );
  const familyFiles = sources.filter(({ file }) => /^server\/families\/[^/]+\/family\.ts$/.test(file));
  const providers = (variable: string) => familyFiles.filter(({ text }) => new RegExp(`\\[\\s*${variable},`).test(text));
  expect(defined.length).toBeGreaterThan(10);
  expect(new Set(defined.map(({ name }) => name)).size).toBe(defined.length);
  expect(defined.filter(({ variable }) => providers(variable).length !== 1)).toEqual([]);
});

test("the linter's import rules are those of the layers", () => {
  const { overrides } = JSON.parse(readFileSync(path.join(root, "biome.json"), "utf8"));
  const rules = overrides.flatMap(
    ({
      includes,
      linter,
    }: {
      includes: string[];
      linter?: { rules?: { style?: Record<string, { options: { patterns: object[] } }> } };
    }) => {
      const patterns = linter?.rules?.style?.noRestrictedImports?.options.patterns;
      return patterns ? [{ includes, ...patterns[0] }] : [];
    },
  );
  expect(rules).toEqual(importRules);
});

/** Returns the folders of a room that need each other, over any number of folders in between. */
function foldersInCycles(room: string): { folders: number; cycles: string[] } {
  const base = path.join(root, room);
  const folderOf = (file: string) => path.relative(base, file).split(path.sep)[0] ?? "";
  const needs = new Map<string, Set<string>>();
  for (const file of globSync("*/**/*.ts", { cwd: base, exclude: ["**/*.test.ts"] })) {
    const own = file.split(path.sep)[0] ?? "";
    const needed = needs.get(own) ?? new Set<string>();
    needs.set(own, needed);
    for (const [, imported = ""] of readFileSync(path.join(base, file), "utf8").matchAll(/from "(\.[^"]+)"/g)) {
      const target = path.resolve(base, path.dirname(file), imported);
      if (path.dirname(target) !== base && folderOf(target) !== own) needed.add(folderOf(target));
    }
  }
  const reached = (from: string, seen = new Set<string>()): Set<string> => {
    for (const next of needs.get(from) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  return { folders: needs.size, cycles: [...needs.keys()].filter((folder) => reached(folder).has(folder)) };
}

test("no folders of the guard need each other, also not over further folders", () => {
  const { folders, cycles } = foldersInCycles("server/guard");
  expect(folders).toBeGreaterThan(10);
  expect(cycles).toEqual([]);
});

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { scaled } from "../scale";
import type { Decider } from "./decider";

const folder = process.env.BENCH_GUARD_FOLDER ?? "";
const packages = { casbin: "5.51.1", "@cedar-policy/cedar-wasm": "4.13.0" };

/** The question for both engines and the guard: may this tool read this path? */
export type Asked = { tool: string; path: string };

/** Casbin and Cedar with as many policies as the guard has rules. @throws Error when npm cannot get them */
export async function anchors(asked: Asked, size: number): Promise<Decider[]> {
  const require = createRequire(path.join(await installed(), "package.json"));
  return [await casbin(require("casbin"), asked, size), cedar(require("@cedar-policy/cedar-wasm/nodejs"), asked, size)];
}

type Casbin = {
  newModelFromString: (text: string) => unknown;
  StringAdapter: new (text: string) => unknown;
  newEnforcer: (model: unknown, adapter: unknown) => Promise<{ enforceSync: (...asked: string[]) => boolean }>;
};

async function casbin({ newModelFromString, StringAdapter, newEnforcer }: Casbin, asked: Asked, size: number): Promise<Decider> {
  const model = newModelFromString(`[request_definition]
r = tool, path
[policy_definition]
p = tool, path
[policy_effect]
e = some(where (p.eft == allow))
[matchers]
m = r.tool == p.tool && regexMatch(r.path, p.path)`);
  const policies = [...Array.from({ length: size - 1 }, (_, index) => `p, tool_${index}, ^drafts/`), `p, ${asked.tool}, ^drafts/`];
  const enforcer = await newEnforcer(model, new StringAdapter(policies.join("\n")));
  // It looks at every policy, so that fewer decisions take as long.
  return {
    name: "casbin",
    prepare: () => () => enforcer.enforceSync(asked.tool, asked.path),
    decisions: scaled(Math.max(100, 10_000 / size), 20),
  };
}

type Cedar = {
  preparsePolicySet: (id: string, policies: { staticPolicies: string }) => { type: string };
  statefulIsAuthorized: (call: Record<string, unknown>) => { type: string; response?: { decision: string } };
};

function cedar({ preparsePolicySet, statefulIsAuthorized }: Cedar, asked: Asked, size: number): Decider {
  const permit = (tool: string) => `permit(principal, action == Action::"${tool}", resource) when { context.path like "drafts/*" };`;
  const staticPolicies = [...Array.from({ length: size - 1 }, (_, index) => permit(`tool_${index}`)), permit(asked.tool)].join("\n");
  const id = `bench-${size}`;
  if (preparsePolicySet(id, { staticPolicies }).type !== "success") throw new Error("cedar did not take the policies");
  const call = {
    principal: { type: "Agent", id: "a" },
    action: { type: "Action", id: asked.tool },
    resource: { type: "Workspace", id: "w" },
    context: { path: asked.path },
    entities: [],
    preparsedPolicySetId: id,
  };
  return {
    name: "cedar-wasm",
    prepare: () => () => statefulIsAuthorized(call).response?.decision === "allow",
    decisions: scaled(Math.max(100, 10_000 / size), 20),
  };
}

/** Installs both into a folder of its own, once; they are no dependencies of ours. @throws Error when npm cannot get them */
async function installed(): Promise<string> {
  if (Object.keys(packages).every((name) => existsSync(path.join(folder, "node_modules", name, "package.json")))) return folder;
  await mkdir(folder, { recursive: true });
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  console.error(`Installing ${wanted.join(" and ")} to measure against ...`);
  const options = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", ...wanted];
  const { status, stderr } = spawnSync("npm", options, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`npm could not install ${wanted.join(" and ")}: ${stderr.slice(-300)}`);
  return folder;
}

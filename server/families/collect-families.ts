import type { Capability } from "@/server/capabilities/define-capability";
import type { FamilyWork } from "@/server/jobs/family-work";
import type { Variable } from "@/server/platform/define-variable";
import type { Check } from "@/server/platform/extension-points/doctor-checks";
import type { ProvidedHint } from "@/server/platform/extension-points/prompt-hints";
import type { AnyTool } from "@/server/tools/define-tool";
import type { BootStep, Family, FirstRule } from "./define-family";

/** The tools, capabilities and work of all families together. */
export type CollectedFamilies = {
  /** Sorted by name. */
  tools: AnyTool[];
  capabilities: Capability[];
  promptHints: ProvidedHint[];
  work: FamilyWork;
  rulesWithoutSandbox: FirstRule[];
  doctor: Check[];
  boot: BootStep[];
  environment: Variable[];
  glossary: Record<string, string>;
};

/** @throws Error when two families define the same name, or when a tool needs a capability that no family defines */
export function collectFamilies(families: readonly Family[]): CollectedFamilies {
  const tools = families.flatMap(({ tools = [] }) => tools).sort((a, b) => (a.name < b.name ? -1 : 1));
  const capabilities = families.flatMap(({ capabilities = [] }) => capabilities);
  assertUnique("family", families);
  assertUnique("capability", capabilities);
  assertUnique(
    "tool",
    tools.flatMap(({ name, aliases }) => [name, ...aliases].map((name) => ({ name }))),
  );
  for (const tool of tools) {
    const missing = tool.capabilities?.find((needed) => !capabilities.includes(needed));
    if (missing) throw new Error(`${tool.name} needs the capability ${missing.name}, which no family lists`);
  }
  const promptHints = families.flatMap(({ promptHints = [] }) => promptHints);
  assertUnique(
    "prompt hint",
    promptHints.map(([hint]) => hint),
  );
  assertUnique(
    "queue",
    families.flatMap(({ queues = [] }) => queues.map(({ queue }) => queue)),
  );
  assertUnique(
    "tool source",
    families.flatMap(({ toolSource }) => (toolSource ? [{ name: toolSource.source }] : [])),
  );
  assertUnique(
    "seam",
    families.flatMap(({ modelHooks }) => (modelHooks ? [{ name: "modelHooks" }] : [])),
  );
  const doctor = families.flatMap(({ doctor = [] }) => doctor);
  assertUnique("check", doctor);
  const environment = families.flatMap(({ environment = [] }) => environment);
  assertUnique("variable", environment);
  const words = families.flatMap(({ glossary = {} }) => Object.entries(glossary));
  assertUnique(
    "word",
    words.map(([name]) => ({ name })),
  );
  return {
    tools,
    capabilities,
    promptHints,
    work: {
      queues: families.flatMap(({ queues = [] }) => queues),
      removeOldRows: families.flatMap(({ removeOldRows = [] }) => removeOldRows),
      findLostWork: families.flatMap(({ findLostWork = [] }) => findLostWork),
    },
    rulesWithoutSandbox: families.flatMap(({ ruleWithoutSandbox }) => ruleWithoutSandbox ?? []),
    doctor,
    boot: families.flatMap(({ boot = [] }) => boot),
    environment,
    glossary: Object.fromEntries(words),
  };
}

function assertUnique(kind: string, named: readonly { name: string }[]): void {
  const seen = new Set<string>();
  for (const { name } of named) {
    if (seen.has(name)) throw new Error(`Two families bring the ${kind} ${name}`);
    seen.add(name);
  }
}

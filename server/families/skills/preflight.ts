import { accessSync, constants } from "node:fs";
import path from "node:path";
import type { SkillNeed } from "@/contracts/skills/skills";
import { processWide } from "@/server/platform/process-wide";
import type { Manifest } from "./format/manifest";

const folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
const lifeMs = 60_000;

/** Returns whether the sandbox has a program. Handrail's own Node is always there. */
export function hasProgram(name: string): boolean {
  if (name === "node") return true;
  const known = processWide("skills.programs", () => new Map<string, { found: boolean; until: number }>());
  const before = known.get(name);
  if (before && before.until > Date.now()) return before.found;
  const found = folders.some((folder) => {
    try {
      accessSync(path.join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  known.set(name, { found, until: Date.now() + lifeMs });
  return found;
}

type Facts = {
  manifest: Pick<Manifest, "secrets" | "programs" | "requiredTools">;
  /** Programs that its script files need. */
  interpreters: readonly string[];
  setSecrets: ReadonlySet<string>;
  /** Names by which tools of the workspace are found. */
  hasTool: (name: string) => boolean;
};

/** Lists what a skill lacks before it is ready, each with the way to set it up. */
export function findNeeds({ manifest, interpreters, setSecrets, hasTool }: Facts): SkillNeed[] {
  const programs = [...new Set([...manifest.programs, ...interpreters])];
  return [
    ...manifest.secrets
      .filter(({ name, required }) => required && !setSecrets.has(name))
      .map(({ name }): SkillNeed => ({ kind: "secret", name, way: `Set the secret ${name} on the skill's page.` })),
    ...programs
      .filter((name) => !hasProgram(name))
      .map((name): SkillNeed => ({ kind: "program", name, way: `Install ${name} on the machine that runs Handrail.` })),
    ...manifest.requiredTools
      .filter((name) => !hasTool(name))
      .map((name): SkillNeed => ({ kind: "tool", name, way: `Add or enable the tool ${name}.` })),
  ];
}

import { z } from "zod";
import { AllowedHost } from "@/contracts/guard/allowed-host";
import { connects, executes } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { assertSkillPath } from "../format/skill-paths";
import { knownSkills } from "../known-skills";
import { defaultScriptSeconds, maxScriptSeconds, scriptTimeoutMs } from "../script-time";
import { skillsCapability } from "../skills-capability";
import { assertSkillName, skillName, skillNameAliases } from "./skill-input";

/** Some models send one text; words in it are arguments where that is clear. */
const asWords = (given: unknown): unknown => {
  if (typeof given !== "string") return given ?? [];
  return /["'\\]/.test(given) ? given : given.split(/\s+/).filter(Boolean);
};

export const runSkillScript = defineTool({
  name: "run_skill_script",
  title: "Run a skill's script",
  description:
    "Runs a script of a skill in the sandbox, in the conversation's folder, and answers exit code and output. The skill's own folder is read-only there, as the variable SKILL_DIR.",
  family: "skills",
  tier: "core",
  effect: "destroy",
  needs: [skillsCapability],
  names: {
    parameterAliases: {
      ...skillNameAliases,
      script_path: "scriptPath",
      script: "scriptPath",
      path: "scriptPath",
      arguments: "args",
      timeout: "timeoutSeconds",
      timeout_seconds: "timeoutSeconds",
    },
  },
  primaryArgument: "scriptPath",
  approval: {
    dangerous: true,
    effects: ({ hosts = [] }) => [executes("/scriptPath", "."), ...hosts.map((host, index) => connects(`/hosts/${index}`, host))],
    completeArguments: async (given, { workspaceId }) => {
      // Before the guard, which would take the path for one of the conversation's folder.
      const args = { ...given, scriptPath: assertSkillPath(given.scriptPath) };
      const skill = (await knownSkills(workspaceId)).byName.get(args.skillName);
      const granted = skill?.row.hosts ?? [];
      const foreign = args.hosts?.find((host) => !granted.includes(host));
      if (foreign !== undefined) {
        throw new AppError(
          "forbidden",
          `hosts: scripts of ${args.skillName} may not reach ${foreign}. An admin can allow hosts on the skill's page.`,
        );
      }
      return granted.length > 0 ? { ...args, hosts: [...granted] } : args;
    },
  },
  running: { backgroundable: true },
  disclosure: { ofSkills: true },
  timeoutMs: scriptTimeoutMs,
  input: z.object({
    skillName,
    scriptPath: z.string().trim().min(1).max(500).describe("Path in the skill, such as scripts/convert.py"),
    args: z
      .preprocess(asWords, z.array(z.string().max(20_000), "a list of texts, one for each argument").max(200))
      .default([])
      .describe("Arguments of the script, each as it is"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(defaultScriptSeconds)
      .transform((seconds) => Math.min(seconds, maxScriptSeconds))
      .describe(`Default ${defaultScriptSeconds}, at most ${maxScriptSeconds}`),
    hosts: z.array(AllowedHost).max(50).optional().describe("Leave out: those of the skill are taken"),
  }),
  async execute({ skillName, scriptPath, args, timeoutSeconds }, { skills, signal, timeoutMs, progress }) {
    const skill = await skills.find(assertSkillName(skillName));
    return skills.run(skill, { path: scriptPath, args, seconds: timeoutSeconds }, { signal, timeoutMs, progress });
  },
});

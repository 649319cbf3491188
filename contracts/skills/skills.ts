import { z } from "zod";
import { ActorRef, Empty, Id, listOf, pageQuery, Timestamp } from "../common";
import { severities } from "../decisions/decision";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";
import { AllowedHost } from "../guard/allowed-host";

export const skillStates = ["ready", "needs_secrets", "needs_setup", "awaiting_person", "blocked", "off"] as const;
export const skillKinds = ["builtin", "custom", "dynamic"] as const;
export const skillLives = ["active", "stale", "archived"] as const;
export const skillSources = ["shipped", "zip", "text", "folder", "address", "agent"] as const;
export const skillReviews = ["approved", "awaiting", "rejected"] as const;
/** The most bytes of a file of a skill, of all its files, and of a package with skills. */
export const maxSkillFileBytes = 1_048_576;
export const maxSkillBytes = 50 * 1_048_576;
export const maxPackageBytes = 50 * 1_048_576;
const maxSkillTextChars = 100_000;

export const SkillName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/, "1 to 64 lower-case letters, digits, dots, _ or -, the first one a letter or digit");
export const SecretName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, "letters, digits and _, at most 128, the first one no digit");

/** The findings of a scan of a skill's files. */
export const SkillFinding = z
  .object({
    check: z.string().describe("`hidden_characters`, `instructions`, `script`, `address` …"),
    severity: z.enum(severities).describe("`critical` blocks the skill; `high` needs the consent of a person."),
    file: z.string(),
    line: z.number().int(),
    message: z.string(),
    excerpt: z.string().describe("The words that were recognised; hidden characters are written as `U+200B`."),
  })
  .meta({ id: "SkillFinding" });
export type SkillFinding = z.infer<typeof SkillFinding>;

export const skillParameterTypes = ["string", "number", "integer", "boolean", "array"] as const;

export const SkillParameter = z.object({
  name: z.string(),
  type: z.enum(skillParameterTypes),
  description: z.string(),
  required: z.boolean(),
  default: z.json().optional(),
});
export type SkillParameter = z.infer<typeof SkillParameter>;

export const SkillEntry = z
  .object({
    id: z.string(),
    path: z.string(),
    description: z.string(),
    fixedArgs: z.array(z.string()),
    parameters: z.array(SkillParameter),
    tool: z.string().describe("The name of its tool: `skill_<skill>_<id>`."),
  })
  .meta({ id: "SkillEntry" });
export type SkillEntry = z.infer<typeof SkillEntry>;

export const SkillFile = z.object({ path: z.string(), bytes: z.number().int(), sha256: z.string() }).meta({ id: "SkillFile" });
export type SkillFile = z.infer<typeof SkillFile>;

/** Something that a skill lacks before it is ready, and the way to it. */
export const SkillNeed = z
  .object({ kind: z.enum(["secret", "program", "tool"]), name: z.string(), way: z.string() })
  .meta({ id: "SkillNeed" });
export type SkillNeed = z.infer<typeof SkillNeed>;

const described = {
  name: z.string(),
  title: z.string(),
  description: z.string(),
  license: z.string().nullable(),
  skillVersion: z.string().nullable().describe("`version` of its frontmatter."),
  author: z.string().nullable(),
  tags: z.array(z.string()),
};

export const Skill = z
  .object({
    id: Id,
    ...described,
    kind: z.enum(skillKinds).describe("`builtin` comes with Handrail; `dynamic` was made by an agent."),
    source: z.enum(skillSources),
    sourceNote: z.string().describe("The address, folder or agent that it came from."),
    state: z.enum(skillStates),
    stateReason: z.string().describe("Why agents do not get it; empty when it is ready."),
    needs: z.array(SkillNeed),
    worst: z.enum(severities).nullable().describe("The worst finding of its scan."),
    enabled: z.boolean(),
    life: z.enum(skillLives).describe("Skills of agents become stale after 30 days without use, and archived after 90."),
    isPinned: z.boolean().describe("The curator leaves it alone."),
    files: z.number().int(),
    bytes: z.number().int(),
    tools: z.number().int(),
    uses: z.number().int(),
    lastUsedAt: Timestamp.nullable(),
    version: z.number().int(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  })
  .meta({ id: "Skill" });
export type Skill = z.infer<typeof Skill>;

export const SkillDetail = Skill.extend({
  text: z.string().describe("SKILL.md as it is."),
  fileList: z.array(SkillFile),
  findings: z.array(SkillFinding),
  parameters: z.array(SkillParameter),
  entries: z.array(SkillEntry),
  requiredTools: z.array(z.string()).describe("`tools` of its frontmatter: without them it is refused."),
  allowedTools: z.array(z.string()).describe("`allowed-tools` of its frontmatter: a note that gives no right."),
  declaredHosts: z.array(z.string()).describe("`hosts` of its frontmatter: what its scripts would like to reach."),
  hosts: z.array(z.string()).describe("Hosts that its scripts may reach; each call asks by the guard's rules."),
  secrets: z.array(z.object({ name: z.string(), description: z.string(), isSet: z.boolean(), isDeclared: z.boolean() })),
  lessons: z.string().describe("What agents and people learned; it is given out with the skill."),
  review: z.enum(skillReviews),
  agents: z.array(z.object({ id: Id, name: z.string() })).describe("Agents that have it bound."),
  lastUses: z.array(z.object({ conversationId: Id, at: Timestamp, uses: z.number().int() })),
}).meta({ id: "SkillDetail" });
export type SkillDetail = z.infer<typeof SkillDetail>;

/** A skill of a package before it is installed. */
export const SkillPreview = z
  .object({
    folder: z.string().describe("Its folder in the package; empty for the top."),
    ...described,
    state: z.enum(skillStates),
    stateReason: z.string(),
    needs: z.array(SkillNeed),
    findings: z.array(SkillFinding),
    fileList: z.array(SkillFile),
    entries: z.array(SkillEntry),
    secrets: z.array(z.string()),
    declaredHosts: z.array(z.string()),
    replaces: Id.nullable().describe("The skill of this name that exists already."),
  })
  .meta({ id: "SkillPreview" });
export type SkillPreview = z.infer<typeof SkillPreview>;

export const SkillSource = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(maxSkillTextChars).describe("A whole SKILL.md.") }),
  z.strictObject({ type: z.literal("folder"), path: z.string().min(1).max(1_000).describe("A folder of this machine; owners only.") }),
  z.strictObject({
    type: z.literal("address"),
    url: z.url().max(2_000).describe("A repository (GitHub, GitLab, Codeberg, Gitea), a folder of one, or a zip."),
  }),
]);
export type SkillSource = z.infer<typeof SkillSource>;

const exampleText = "---\nname: greeting\ndescription: How we greet customers in letters.\n---\n\nBegin with Dear and the full name.\n";
const choice = {
  folders: z.array(z.string().max(500)).max(200).optional().describe("Folders of the package to install; absent: all."),
  acceptFindings: z.boolean().default(false).describe("A person has seen findings of the severity `high`."),
  replace: z.boolean().default(false).describe("Replace skills of the same names."),
};

export const SkillDraft = z
  .strictObject({ source: SkillSource, ...choice })
  .meta({ examples: [{ source: { type: "text", text: exampleText } }] });
export type SkillDraft = z.infer<typeof SkillDraft>;

export const SkillPatch = z
  .strictObject({
    enabled: z.boolean().optional(),
    isPinned: z.boolean().optional(),
    life: z.enum(["active", "archived"]).optional(),
    hosts: z.array(AllowedHost).max(50).optional(),
    lessons: z.string().max(maxSkillTextChars).optional(),
    acceptFindings: z.literal(true).optional(),
  })
  .meta({ examples: [{ enabled: false }] });
export type SkillPatch = z.infer<typeof SkillPatch>;

export const SkillVersion = z
  .object({ version: z.number().int(), files: z.number().int(), summary: z.string(), author: ActorRef, createdAt: Timestamp })
  .meta({ id: "SkillVersion" });
export type SkillVersion = z.infer<typeof SkillVersion>;

const params = z.object({ id: Id });
const filePath = z.string().min(1).max(500);
const installed = z.object({ items: z.array(Skill) });
const previewed = z.object({ items: z.array(SkillPreview), notes: z.array(z.string()) });

export const skillEndpoints = {
  list: endpoint({
    method: "GET",
    path: "/api/v1/skills",
    summary: "Skills of the workspace, by name",
    permission: "skills:read",
    query: z.object({
      query: z.string().trim().max(200).optional().describe("Words in name, title, description or tags."),
      state: z.enum(skillStates).optional(),
      kind: z.enum(skillKinds).optional(),
      agentId: Id.optional().describe("Only skills that this agent has now."),
      ...pageQuery,
    }),
    response: listOf(Skill),
  }),
  install: endpoint({
    method: "POST",
    path: "/api/v1/skills",
    summary: "Install skills from a text, a folder of the machine or an address",
    permission: "skills:write",
    body: SkillDraft,
    response: installed,
    status: 201,
  }),
  preview: endpoint({
    method: "POST",
    path: "/api/v1/skills/preview",
    summary: "Scan a package without installing it",
    permission: "skills:write",
    body: z.strictObject({ source: SkillSource }).meta({ examples: [{ source: { type: "text", text: exampleText } }] }),
    response: previewed,
  }),
  installZip: endpoint({
    method: "POST",
    path: "/api/v1/skill-packages",
    summary: "Install skills from the bytes of a zip",
    permission: "skills:write",
    query: z.object({
      folders: z.string().max(20_000).optional().describe("Folders of the package to install, separated by commas; absent: all."),
      acceptFindings: z.enum(["true", "false"]).default("false"),
      replace: z.enum(["true", "false"]).default("false"),
      name: z.string().max(300).optional().describe("The file's name, as a note of its source."),
    }),
    requestType: "application/zip",
    response: installed,
    status: 201,
  }),
  previewZip: endpoint({
    method: "POST",
    path: "/api/v1/skill-packages/preview",
    summary: "Scan the bytes of a zip without installing them",
    permission: "skills:write",
    requestType: "application/zip",
    response: previewed,
  }),
  get: endpoint({
    method: "GET",
    path: "/api/v1/skills/{id}",
    summary: "One skill",
    permission: "skills:read",
    params,
    response: SkillDetail,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/skills/{id}",
    summary: "Switch a skill, and set its hosts, lessons and life",
    headers: ["If-Match"],
    permission: "skills:write",
    params,
    body: SkillPatch,
    response: SkillDetail,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/v1/skills/{id}",
    summary: "Remove a skill with its files, versions, secrets and tools",
    headers: ["If-Match"],
    permission: "skills:write",
    params,
    response: Empty,
  }),
  readFile: endpoint({
    method: "GET",
    path: "/api/v1/skills/{id}/files",
    summary: "One file of a skill as text; `null` for bytes that are no text",
    permission: "skills:read",
    params,
    query: z.object({ path: filePath }),
    response: SkillFile.extend({ text: z.string().nullable() }),
  }),
  saveFile: endpoint({
    method: "PUT",
    path: "/api/v1/skills/{id}/files",
    summary: "Write or remove one file of a skill, as a new version that is scanned again",
    headers: ["If-Match"],
    permission: "skills:write",
    params,
    body: z
      .strictObject({
        path: filePath,
        text: z.string().max(maxSkillFileBytes).nullable().describe("`null` removes the file."),
        acceptFindings: z.boolean().default(false),
      })
      .meta({ examples: [{ path: "references/names.md", text: "Ann, Ben" }] }),
    response: SkillDetail,
  }),
  setSecret: endpoint({
    method: "PUT",
    path: "/api/v1/skills/{id}/secrets/{name}",
    summary: "Keep a secret for a skill's scripts; an empty value removes it",
    permission: "skills:write",
    params: z.object({ id: Id, name: SecretName }),
    body: z.strictObject({ value: z.string().max(20_000) }).meta({ examples: [{ value: "not-a-real-one" }] }),
    response: SkillDetail,
  }),
  review: endpoint({
    method: "POST",
    path: "/api/v1/skills/{id}/review",
    summary: "Approve or reject what an agent made of a skill",
    headers: ["If-Match"],
    permission: "skills:write",
    params,
    body: z.strictObject({ review: z.enum(["approved", "rejected"]) }).meta({ examples: [{ review: "approved" }] }),
    response: SkillDetail,
  }),
  versions: endpoint({
    method: "GET",
    path: "/api/v1/skills/{id}/versions",
    summary: "The last 20 contents of a skill, newest first",
    permission: "skills:read",
    params,
    response: z.object({ items: z.array(SkillVersion) }),
  }),
  restoreVersion: endpoint({
    method: "POST",
    path: "/api/v1/skills/{id}/versions/{version}/restore",
    summary: "Make an earlier content of a skill the newest",
    headers: ["If-Match"],
    permission: "skills:write",
    params: z.object({ id: Id, version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    response: SkillDetail,
  }),
  ofAgent: endpoint({
    method: "GET",
    path: "/api/v1/agents/{id}/skills",
    summary: "The skills bound to an agent",
    permission: "skills:read",
    params,
    response: z.object({ skills: z.array(Id).describe("Empty: all ready skills of the workspace.") }),
  }),
  bindToAgent: endpoint({
    method: "PUT",
    path: "/api/v1/agents/{id}/skills",
    summary: "Bind skills to an agent; it then has no others",
    permission: "skills:write",
    params,
    body: z.strictObject({ skills: z.array(Id).max(500) }).meta({ examples: [{ skills: [] }] }),
    response: z.object({ skills: z.array(Id) }),
  }),
};

export const skillContract = defineContract({
  reference: { name: "Skills", description: "Packages with instructions, files and scripts that agents load when a task needs them." },
  glossary: {
    skill: "A package with a SKILL.md, which an agent loads when a task needs it; its scripts run in the sandbox.",
    "skill script": "A program of a skill that runs in the sandbox, with the skill's folder read-only and its secrets as variables.",
    lesson: "What was learned while working with a skill; it is given out with the skill.",
  },
  endpoints: skillEndpoints,
  permissions: { "skills:read": "See skills", "skills:write": "Install, change and remove skills" },
  implies: { "skills:write": ["skills:read"] },
  roles: { approver: ["skills:read"], viewer: ["skills:read"] },
  audit: {
    "skill.installed": "Skill installed",
    "skill.updated": "Skill changed",
    "skill.removed": "Skill removed",
    "skill.reviewed": "Skill reviewed",
    "skill.secret_set": "Secret of a skill set",
    "skill.secret_removed": "Secret of a skill removed",
    "skill.drafted": "Skill drafted by an agent",
    "skill.lesson_recorded": "Lesson of a skill recorded by an agent",
    "agent.skills_changed": "Agent skills changed",
  },
  navigation: { label: "Skills", path: "/skills", icon: "IconSchool", key: "j", group: "agents", after: "/schedules" },
});

import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { Document, Packer, Paragraph, TextRun } from "docx";
import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { agents, agentTools, auditEvents, skillSecrets, skills, tools } from "@/db/schema";
import { zipOf } from "@/e2e/document-files";
import { greeterPackage, poisonedPackage, publicRepository, skillText } from "@/e2e/skill-packages";
import { readConversation } from "@/server/conversations/find-conversation";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { pinnedResults } from "@/server/runs/context/transcript";
import { authorize, buildConversation, buildUser, buildWorkspace } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { submitCalls, useStage } from "@/server/testing/stage";
import { countTokens } from "@/server/tools/disclosure/count-tokens";
import { listConversationTools } from "@/server/tools/list-conversation-tools";
import { installPackage, openSource, openZip, previewPackage } from "./install-skills";
import { knownSkills } from "./known-skills";
import {
  bindSkills,
  getSkill,
  listSkills,
  listVersions,
  removeSkillOf,
  restoreVersion,
  reviewSkill,
  saveFile,
  setSecret,
  updateSkill,
} from "./manage-skills";
import { writeCatalogue } from "./prompt-section";
import { loadWorkspaceSkills } from "./workspace-skills";

const stage = useStage();
const writer = () => authorize(stage.built.admin, "skills:write");
const reader = () => authorize(stage.built.admin, "skills:read");
const all = { acceptFindings: false, replace: false };
const install = async (texts: Record<string, string>, options: Partial<Parameters<typeof installPackage>[2]> = {}) =>
  (await installPackage(writer(), await openZip(zipOf(texts)), { ...all, ...options })).items;
const installText = async (text: string) =>
  (await installPackage(writer(), await openSource(stage.built.admin, { type: "text", text }), all)).items;
const call = async (name: string, args: JsonObject = {}) => {
  const turn = await submitCalls(stage, [[name, args]]);
  return turn.calls[0];
};
const listing = async () =>
  JSON.parse(JSON.stringify(await listConversationTools(authorize(stage.built.agentKey, "tools:read"), stage.conversationId, "handrail")));
const shown = async () => JSON.stringify(await listing());
const folder = async () => {
  const conversation = await readConversation(stage.conversationId);
  if (!conversation) throw new Error("no conversation");
  const own = workspaceFolder(conversation, stage.built.agent);
  await mkdir(own, { recursive: true });
  return own;
};

beforeEach(async () => {
  await addBuiltinTools(stage.built.workspace.id);
});

describe("skills of the open format", () => {
  test("install unchanged, are loaded into the history and run in the box", async () => {
    const preview = await previewPackage(writer(), await openZip(zipOf(publicRepository)));
    expect(preview.items.map(({ name, state }) => [name, state])).toEqual([
      ["brand-voice", "ready"],
      ["csv-report", "ready"],
      ["word-count", "ready"],
    ]);
    expect((await install(publicRepository)).map(({ name, state, source }) => [name, state, source])).toEqual([
      ["brand-voice", "ready", "zip"],
      ["csv-report", "ready", "zip"],
      ["word-count", "ready", "zip"],
    ]);
    const before = await shown();
    const loaded = await call("load_skill", { skillName: "csv-report" });
    expect(loaded).toMatchObject({ status: "succeeded" });
    expect(loaded?.content).toContain("Run `python scripts/summarise.py FILE`.");
    expect(loaded?.content).toContain("Files of the skill, read by their paths: references/columns.md, scripts/summarise.py.");
    // The system prompt and the tools are the same bytes as before.
    expect(await shown()).toBe(before);
    await writeFile(path.join(await folder(), "data.csv"), "name,city\nAnn,Rome\nBen,Oslo\n");
    const ran = await call("run_skill_script", { skillName: "csv-report", scriptPath: "scripts/summarise.py", args: ["data.csv"] });
    expect(ran).toMatchObject({ status: "succeeded", content: "exit code 0\n2 rows, columns: name, city\n" });
    expect(await call("run_skill_script", { skillName: "word-count", scriptPath: "bin/count.sh", args: ["data.csv"] })).toMatchObject({
      content: expect.stringContaining("3"),
    });
    expect(await call("read_skill_file", { skillName: "csv-report", filePath: "references/columns.md", maxLines: 1 })).toMatchObject({
      content: "references/columns.md, lines 1-1 of 3. Read on with startLine 2.\n# Columns",
    });
    expect(
      JSON.parse(
        (await call("enable_tool", { toolName: "list_skill_files" }))
          ? ((await call("list_skill_files", { skillName: "word-count" }))?.content ?? "")
          : "",
      ),
    ).toEqual({
      skillName: "word-count",
      count: 2,
      files: [
        { path: "SKILL.md", size: expect.any(Number) },
        { path: "bin/count.sh", size: expect.any(Number) },
      ],
    });
    expect((await getSkill(reader(), (await knownSkills(stage.built.workspace.id)).byName.get("csv-report")?.row.id ?? "")).uses).toBe(2);
  });

  test("say in the words that models know what is missing", async () => {
    await install({ "a/SKILL.md": publicRepository["skills-main/skills/brand-voice/SKILL.md"] ?? "" });
    expect(await call("load_skill", {})).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Error: skillName is required"),
    });
    expect(await call("load_skill", { skillName: "nothing" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Error: Skill 'nothing' not found or not enabled."),
    });
    expect(await call("run_skill_script", { skillName: "brand-voice", scriptPath: "../../etc/x.sh" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("leads out of the skill"),
    });
    expect(await call("run_skill_script", { skillName: "brand-voice", scriptPath: "scripts/none.py" })).toMatchObject({
      content: expect.stringContaining("It has no scripts."),
    });
    expect(await call("load_skill", { skillName: "brand-voice", filePath: "/etc/passwd" })).toMatchObject({
      content: expect.stringContaining("is absolute"),
    });
  });

  test("answer with their instructions when a model calls their name as a tool", async () => {
    await install(publicRepository);
    const turn = await call("brand-voice", { anything: 1 });
    expect(turn).toMatchObject({ status: "succeeded", name: "load_skill" });
    expect(turn?.content).toMatch(/^\[auto-redirect\] brand-voice is a skill and no tool\.[\s\S]*Be brief and warm\./);
    expect(await call("no-such-thing")).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Tool not found: no-such-thing"),
    });
  });

  test("stand word for word beside a summary of their conversation", async () => {
    await install(publicRepository);
    const { content = "" } = (await call("load_skill", { skillName: "brand-voice" })) ?? {};
    const message = {
      runId: "r",
      position: 1,
      role: "tool" as const,
      content: { text: content ?? "", callId: "c0", name: "load_skill" },
      usage: null,
    };
    expect(pinnedResults([message]).join("\n")).toContain("Be brief and warm.");
  });
});

describe("a skill with scripts, parameters and secrets", () => {
  test("is ready when its secret is set, and its script is a tool with the declared parameters", async () => {
    const [skill] = await install(greeterPackage);
    expect(skill).toMatchObject({
      name: "greeter",
      title: "Greeter",
      state: "needs_secrets",
      tools: 1,
      stateReason: "Set the secret GREETER_TOKEN on the skill's page.",
    });
    expect(await shown()).not.toContain("skill_greeter_greet");
    const id = skill?.id ?? "";
    expect(await setSecret(writer(), id, "GREETER_TOKEN", "hush-hush-token")).toMatchObject({
      state: "ready",
      secrets: [{ name: "GREETER_TOKEN", isSet: true, isDeclared: true }],
    });
    expect(await shown()).toContain("skill_greeter_greet");
    const [row] = await db()
      .select()
      .from(tools)
      .where(and(eq(tools.workspaceId, stage.built.workspace.id), eq(tools.name, "skill_greeter_greet")));
    expect(row).toMatchObject({
      source: "skill",
      dangerous: true,
      inputSchema: {
        type: "object",
        properties: { person: { type: "string", description: "Whom to greet" }, times: { type: "integer", default: 1 } },
        required: ["person"],
        additionalProperties: false,
      },
    });
    await call("enable_tool", { toolName: "skill_greeter_greet" });
    const greeted = await call("skill_greeter_greet", { person: "Ann; rm -rf /" });
    expect(greeted?.content).toBe(
      "exit code 0\nargs ['--mode=short', '--person=Ann; rm -rf /', '--times=1']\ntoken [secret GREETER_TOKEN]\nread-only\n",
    );
    expect(await readFile(path.join(await folder(), "greeting.txt"), "utf8")).toBe("hello");
    expect(await call("skill_greeter_greet", { times: "x" })).toMatchObject({ status: "failed" });
    const [kept] = await db().select().from(skillSecrets).where(eq(skillSecrets.skillId, id));
    const events = await db().select().from(auditEvents).where(eq(auditEvents.workspaceId, stage.built.workspace.id));
    expect(JSON.stringify([kept, events, await getSkill(reader(), id)])).not.toContain("hush-hush-token");
    expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(["skill.installed", "skill.secret_set"]));
    const filled = await call("load_skill", { skillName: "greeter", parameters: { language: "French" } });
    expect(filled?.content).toContain("Write in French, in a warm tone. {{unknown}} stays.");
    expect(await call("load_skill", { skillName: "greeter" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("the skill needs language"),
    });
    expect(await setSecret(writer(), id, "GREETER_TOKEN", "")).toMatchObject({ state: "needs_secrets" });
    await expect(setSecret(writer(), id, "PATH", "/tmp")).rejects.toThrow("programs need the variable PATH");
  });

  test("asks for the network that an admin allowed it, and refuses other hosts", async () => {
    const [skill] = await install(greeterPackage);
    await setSecret(writer(), skill?.id ?? "", "GREETER_TOKEN", "hush-hush-token");
    await updateSkill(writer(), skill?.id ?? "", { hosts: ["api.example.com"] }, null);
    const asked = await submitCalls(stage, [["run_skill_script", { skillName: "greeter", scriptPath: "scripts/greet.py" }]], { wait: 0 });
    expect(asked.calls[0]).toMatchObject({ status: "awaiting_approval", arguments: { hosts: ["api.example.com"] } });
    expect(asked.calls[0]?.decision?.effects).toContainEqual(
      expect.objectContaining({ kind: "connect", target: expect.objectContaining({ host: "api.example.com" }) }),
    );
    await buildFreshConversation();
    expect(await call("run_skill_script", { skillName: "greeter", scriptPath: "scripts/greet.py", hosts: ["evil.example"] })).toMatchObject(
      {
        status: "failed",
        content: expect.stringContaining("may not reach evil.example"),
      },
    );
  });

  test("loses its tools with the next listing when it is removed, and keeps other tools out of its names", async () => {
    const [skill] = await install(greeterPackage);
    await setSecret(writer(), skill?.id ?? "", "GREETER_TOKEN", "hush-hush-token");
    await call("enable_tool", { toolName: "skill_greeter_greet" });
    await removeSkillOf(writer(), skill?.id ?? "", null);
    expect(await shown()).not.toContain("greeter");
    expect(await call("skill_greeter_greet", { person: "Ann" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Tool not found"),
    });
    expect(
      await db()
        .select()
        .from(tools)
        .where(and(eq(tools.workspaceId, stage.built.workspace.id), eq(tools.source, "skill"))),
    ).toEqual([]);
  });
});

async function buildFreshConversation(): Promise<void> {
  stage.conversationId = (await buildConversation(stage.built.agentKey)).id;
}

describe("the scan", () => {
  test("blocks a poisoned skill with its line: agents neither see nor load it, and it cannot be switched on", async () => {
    const [skill] = await install(poisonedPackage);
    expect(skill).toMatchObject({
      state: "blocked",
      worst: "critical",
      stateReason: "SKILL.md, line 8: It tells the model to drop its instructions.",
    });
    expect(await shown()).not.toContain("helper");
    expect(await call("load_skill", { skillName: "helper" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("not found or not enabled"),
    });
    await expect(updateSkill(writer(), skill?.id ?? "", { enabled: true }, null)).rejects.toThrow("The scan blocks this skill");
    const id = skill?.id ?? "";
    await saveFile(writer(), id, { path: "SKILL.md", text: skillText("helper"), acceptFindings: false }, null);
    expect(await saveFile(writer(), id, { path: "scripts/setup.sh", text: null, acceptFindings: false }, null)).toMatchObject({
      state: "ready",
      findings: [],
    });
  });

  test("asks a person about findings that are high, before anything is written", async () => {
    const risky = { "risky/SKILL.md": skillText("risky"), "risky/scripts/up.sh": "#!/bin/sh\nsudo apt update\n" };
    await expect(install(risky)).rejects.toThrow("scripts/up.sh, line 2: It wants rights of the machine.");
    expect(
      await db()
        .select()
        .from(skills)
        .where(and(eq(skills.workspaceId, stage.built.workspace.id), eq(skills.name, "risky"))),
    ).toEqual([]);
    expect(await install(risky, { acceptFindings: true })).toMatchObject([{ state: "ready", worst: "high" }]);
  });

  test("installs all skills of a package or none", async () => {
    const half = { "p/one/SKILL.md": skillText("one"), "p/two/SKILL.md": "no frontmatter" };
    await expect(install(half)).rejects.toThrow("two: SKILL.md does not begin with frontmatter");
    expect((await listSkills(reader(), { query: "one" })).items).toEqual([]);
    expect(await install(half, { folders: ["one"] })).toHaveLength(1);
    await expect(install(half, { folders: ["one"] })).rejects.toThrow("There is a skill one already");
    await expect(install(half, { folders: ["three"] })).rejects.toThrow("no skill in three");
  });
});

describe("an agent", () => {
  test("has only the skills that are bound to it, and their tools beside the ticked ones", async () => {
    const installed = await install(publicRepository);
    const agentId = stage.built.agent.id;
    await db().insert(agentTools).values({ agentId, toolName: "read_file" });
    expect(await shown()).not.toContain("load_skill");
    await bindSkills(writer(), agentId, [installed.find(({ name }) => name === "word-count")?.id ?? ""]);
    expect(await shown()).toContain("load_skill");
    expect((await listing()).sections).toContain("- word-count: ");
    expect((await listing()).sections).not.toContain("csv-report");
    expect(await call("load_skill", { skillName: "csv-report" })).toMatchObject({
      status: "failed",
      content: expect.stringContaining("Error: Skill 'csv-report' is not available for this agent."),
    });
    await expect(bindSkills(writer(), agentId, ["00000000-0000-7000-8000-000000000000"])).rejects.toThrow("there is no skill");
  });

  test("without skills has nothing of them; without tools it keeps the builtin ones", async () => {
    const [skill] = await install(greeterPackage);
    await setSecret(writer(), skill?.id ?? "", "GREETER_TOKEN", "hush-hush-token");
    const set = async (values: object) => {
      await db().update(agents).set(values).where(eq(agents.id, stage.built.agent.id));
      await setSecret(writer(), skill?.id ?? "", "GREETER_TOKEN", "hush-hush-token");
    };
    await set({ skillsDisabled: true });
    expect(await shown()).not.toMatch(/load_skill|run_skill_script|skill_greeter|# Skills/);
    expect(await call("load_skill", { skillName: "greeter" })).toMatchObject({
      content: "Tool 'load_skill' is not available to this agent.",
    });
    await set({ skillsDisabled: false, toolsDisabled: true });
    const text = await shown();
    expect(text).toContain("load_skill");
    expect(text).toContain("read_file");
    expect(text).not.toContain("skill_greeter_greet");
    // The probes of the stage are tools of an MCP server.
    expect(text).not.toContain('"look"');
  });

  test("drafts skills that wait for a person, and changes no others", async () => {
    await install(publicRepository);
    await call("enable_tool", { toolName: "skill_manage" });
    const manage = async (args: JsonObject) => (await call("skill_manage", args))?.content ?? "";
    expect(await manage({})).toContain("Error: action is required (create | edit | patch | delete)");
    expect(await manage({ action: "create" })).toContain("Error: name is required");
    expect(await manage({ action: "create", name: "Bad Name" })).toContain("Error: invalid skill name 'Bad Name'");
    expect(await manage({ action: "create", name: "notes" })).toContain("Error: content is required for create action");
    expect(await manage({ action: "create", name: "notes", content: "x".repeat(100_001) })).toContain(
      "Error: content too large (100001 characters",
    );
    expect(JSON.parse(await manage({ action: "create", name: "notes", content: skillText("notes") }))).toMatchObject({
      success: true,
      action: "create",
      name: "notes",
      status: "awaiting_person",
    });
    expect(await call("load_skill", { skillName: "notes" })).toMatchObject({
      content: expect.stringContaining("a person has to approve it"),
    });
    const [draft] = (await listSkills(reader(), { state: "awaiting_person" })).items;
    expect(draft).toMatchObject({ name: "notes", kind: "dynamic" });
    expect(await reviewSkill(writer(), draft?.id ?? "", "approved", null)).toMatchObject({ state: "ready" });
    await manage({ action: "patch", name: "notes", oldText: "Do it well.", newText: "Do it better." });
    expect(await getSkill(reader(), draft?.id ?? "")).toMatchObject({
      state: "awaiting_person",
      text: expect.stringContaining("Do it better."),
    });
    expect(await manage({ action: "edit", name: "brand-voice", content: skillText("brand-voice") })).toContain("was not made by an agent");
    expect((await listVersions(reader(), draft?.id ?? "")).items.map(({ version, summary }) => [version, summary])).toEqual([
      [2, "SKILL.md changed by an agent"],
      [1, "Drafted by an agent"],
    ]);
  });
});

describe("the catalogue", () => {
  test("stands in the prompt within its budget, new skills first, with the same bytes each time", async () => {
    await install(publicRepository);
    const { sections } = await listing();
    expect(sections.split("\n").slice(0, 4)).toEqual([
      "# Skills",
      "Before a task that one of these fits, load it with load_skill and do as it says.",
      "- brand-voice: How we write to customers.",
      expect.stringMatching(/^- csv-report: /),
    ]);
    expect(sections).toContain("- docx: Edit an existing .docx");
    expect((await listing()).sections).toBe(sections);
    const [known] = (await knownSkills(stage.built.workspace.id)).all;
    if (!known) throw new Error("no skill");
    const many = Array.from({ length: 200 }, (_, index) => ({
      ...known,
      row: { ...known.row, name: `skill-${index}` },
      manifest: { ...known.manifest, description: "word ".repeat(80) },
    }));
    const text = writeCatalogue(many, 600, Date.now());
    expect(countTokens(text)).toBeLessThanOrEqual(600);
    expect(text).toMatch(/\nShowing \d+ of 200; list_available_skills finds the others\.$/);
  });

  test("is listed for agents in pages that say how many there are", async () => {
    await install(publicRepository);
    await call("enable_tool", { toolName: "list_available_skills" });
    const text = (await call("list_available_skills", { limit: 2 }))?.content ?? "";
    expect(text.split("\n")).toEqual([
      "Showing: 2 of 4. See more with a larger limit (at most 50), or narrow the list with keyword, source or status.",
      expect.stringMatching(/^- brand-voice \(custom\): /),
      expect.stringMatching(/^- csv-report /),
    ]);
    expect((await call("list_available_skills", { keyword: "word counts" }))?.content).toMatch(/^Showing: 1 of 1\.\n- word-count/);
  });
});

describe("people", () => {
  test("see no skill of another workspace", async () => {
    const [skill] = await installText(skillText("secretive"));
    const other = await buildWorkspace();
    const stranger = authorize(other.admin, "skills:write");
    await expect(getSkill(stranger, skill?.id ?? "")).rejects.toThrow("does not exist");
    await expect(updateSkill(stranger, skill?.id ?? "", { enabled: false }, null)).rejects.toThrow("does not exist");
    await expect(setSecret(stranger, skill?.id ?? "", "A", "b")).rejects.toThrow("does not exist");
    await expect(bindSkills(stranger, other.agent.id, [skill?.id ?? ""])).rejects.toThrow("there is no skill");
    expect((await listSkills(authorize(other.admin, "skills:read"), {})).items.map(({ name }) => name)).toEqual(["docx"]);
    // The same name may exist in two workspaces.
    await installPackage(stranger, await openSource(other.admin, { type: "text", text: skillText("secretive") }), all);
  });

  test("see the skill that comes with Handrail also where skills were read before it was installed", async () => {
    const { admin, workspace } = await buildWorkspace();
    expect((await loadWorkspaceSkills(workspace.id)).all).toEqual([]);
    expect((await listSkills(authorize(admin, "skills:read"), {})).items.map(({ name }) => name)).toEqual(["docx"]);
    expect((await loadWorkspaceSkills(workspace.id)).byName.has("docx")).toBe(true);
  });

  test("edit files as versions, and bring earlier ones back", async () => {
    const [skill] = await installText(skillText("edited"));
    const id = skill?.id ?? "";
    await saveFile(writer(), id, { path: "references/a.md", text: "one", acceptFindings: false }, null);
    await expect(saveFile(writer(), id, { path: "../a.md", text: "x", acceptFindings: false }, null)).rejects.toThrow(
      "leads out of the skill",
    );
    await expect(saveFile(writer(), id, { path: "SKILL.md", text: skillText("renamed"), acceptFindings: false }, null)).rejects.toThrow(
      "A skill keeps its name",
    );
    await expect(saveFile(writer(), id, { path: "SKILL.md", text: null, acceptFindings: false }, null)).rejects.toThrow(
      "SKILL.md makes the skill",
    );
    await expect(saveFile(writer(), id, { path: "a.md", text: "x", acceptFindings: false }, 1)).rejects.toThrow("changed meanwhile");
    expect((await restoreVersion(writer(), id, 1, null)).fileList.map(({ path: file }) => file)).toEqual(["SKILL.md"]);
    expect((await listVersions(reader(), id)).items[0]?.summary).toBe("Version 1 restored");
  });

  test("who are no owners install from no folder of the machine, and nobody from Handrail's own", async () => {
    await expect(openSource(stage.built.admin, { type: "folder", path: "/srv" })).rejects.toThrow("Only an owner");
    const owner = await buildUser(stage.built.workspace.id, "owner");
    await expect(openSource(owner, { type: "folder", path: process.env.HANDRAIL_DATA_DIR ?? "" })).rejects.toThrow(
      "files of Handrail itself",
    );
    await expect(openSource(owner, { type: "folder", path: "skills" })).rejects.toThrow("name the folder from the root");
    await expect(openSource(owner, { type: "folder", path: "/no/such/folder" })).rejects.toThrow("there is no folder");
  });

  test("write lessons that are given out with the skill, and see idle skills of agents put away", async () => {
    const [skill] = await installText(skillText("taught"));
    await updateSkill(writer(), skill?.id ?? "", { lessons: "- Check the dates twice." }, null);
    expect((await call("load_skill", { skillName: "taught" }))?.content).toContain("# Lessons of earlier work\n\n- Check the dates twice.");
    const longAgo = new Date(Date.now() - 40 * 86_400_000);
    await db()
      .update(skills)
      .set({ kind: "dynamic", createdAt: longAgo, lastUsedAt: longAgo })
      .where(eq(skills.id, skill?.id ?? ""));
    await updateSkill(writer(), skill?.id ?? "", { lessons: "" }, null);
    expect(await getSkill(reader(), skill?.id ?? "")).toMatchObject({ life: "stale", state: "ready" });
    await db()
      .update(skills)
      .set({ lastUsedAt: new Date(Date.now() - 100 * 86_400_000) })
      .where(eq(skills.id, skill?.id ?? ""));
    await updateSkill(writer(), skill?.id ?? "", { enabled: true }, null);
    expect(await getSkill(reader(), skill?.id ?? "")).toMatchObject({ life: "archived", state: "off" });
    expect(await updateSkill(writer(), skill?.id ?? "", { life: "active" }, null)).toMatchObject({ life: "active", state: "ready" });
    expect(await updateSkill(writer(), skill?.id ?? "", { isPinned: true }, null)).toMatchObject({ isPinned: true });
  });
});

test("the skill docx comes with Handrail, cannot be removed, and edits an existing .docx in the box", async () => {
  const [docx] = (await listSkills(reader(), { query: "docx" })).items;
  expect(docx).toMatchObject({ name: "docx", kind: "builtin", state: "ready" });
  await expect(removeSkillOf(writer(), docx?.id ?? "", null)).rejects.toThrow("comes with Handrail");
  const document = new Document({
    sections: [
      {
        children: [
          new Paragraph({ children: [new TextRun("The fee is "), new TextRun({ text: "100", bold: true }), new TextRun(" euros.")] }),
          new Paragraph("Signed in Berlin."),
        ],
      },
    ],
  });
  await writeFile(path.join(await folder(), "contract.docx"), await Packer.toBuffer(document));
  const run = async (...args: string[]) =>
    (await call("run_skill_script", { skillName: "docx", scriptPath: "scripts/docx.mjs", args }))?.content;
  expect(await run("replace", "contract.docx", "--find=fee is 100", "--with=price is 200", "--track", "--author=Ann")).toEqual(
    expect.stringContaining('"fee is 100" was replaced 1 times, in paragraph 1.\nWrote contract.docx.\n'),
  );
  await run("insert", "contract.docx", "--after=2", "--text=In two copies.", "--out=new.docx");
  expect(await run("read", "new.docx")).toBe(
    "exit code 0\n3 paragraphs\n1: The price is 200 euros.\n2: Signed in Berlin.\n3: In two copies.\n",
  );
  expect((await call("read_file", { path: "new.docx" }))?.content).not.toBe("");
  expect(await run("delete", "new.docx", "--paragraph=9")).toContain("There is no paragraph 9. The document has 3.");
});

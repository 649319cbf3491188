import { beforeEach, describe, expect, test } from "vitest";
import type { GuardConfigPatch } from "@/contracts/guard/guard";
import { DetectorChange } from "@/contracts/guard/guard";
import { defaultEscalatePatterns } from "@/contracts/tools/surface";
import { allDetectors } from "@/server/guard/detectors/all-detectors";
import { hardFloor, insteadOfFloor } from "@/server/guard/floor/hard-floor";
import { buildWorkspace } from "@/server/testing/builders";
import { authorizePolicy, type PolicyAdmin } from "@/server/testing/guard/policy-stage";
import { buildRecordedTools } from "@/server/testing/recorded-tools";
import { useTestDatabase } from "@/server/testing/test-database";
import { listVersions } from "../versions/list-versions";
import { restoreVersion } from "../versions/restore-version";
import { getConfig, updateConfig } from "./guard-config";
import { listDetectors, updateDetector } from "./list-detectors";

useTestDatabase();

let admin: PolicyAdmin;
beforeEach(async () => {
  const built = await buildWorkspace();
  admin = authorizePolicy(built.admin);
  await buildRecordedTools(built.workspace.id);
});

const save = (patch: GuardConfigPatch) => updateConfig(admin, patch, null);
const summary = async () => (await listVersions(admin, { limit: 1 })).items[0]?.summary;
const refusal = (path: string, message: string) => ({ code: "invalid", message: `${message}.`, details: { errors: [{ path, message }] } });

describe("the list of detectors", () => {
  test("begins with the hard floor, about which nothing can be changed", async () => {
    const { items, nextCursor, policyVersion } = await listDetectors(admin);
    expect({ nextCursor, policyVersion }).toEqual({ nextCursor: null, policyVersion: 1 });
    expect(items.map(({ id }) => id)).toEqual([
      ...Object.keys(hardFloor).map((name) => `floor.${name}`),
      ...allDetectors.map(({ id }) => id),
    ]);
    expect(items[0]).toEqual({
      id: "floor.recursive_delete",
      title: hardFloor.recursive_delete.title,
      severity: "critical",
      explanation: hardFloor.recursive_delete.explanation,
      fix: insteadOfFloor,
      relaxable: false,
      floor: true,
      ownVerdict: "deny",
      enabled: true,
      verdict: "deny",
    });
    await expect(updateDetector(admin, "floor.power", { enabled: false }, null)).rejects.toMatchObject({
      code: "invalid",
      message: "floor.power belongs to the hard floor, which is denied whatever is set. Nothing about it can be changed.",
    });
  });

  test("says what each does here, beside what it comes with", async () => {
    const found = async (id: string) => (await listDetectors(admin)).items.find((detector) => detector.id === id);
    const asItComes = { floor: false, relaxable: true, ownVerdict: "require_approval", enabled: true, verdict: "require_approval" };
    expect(await found("file.sensitive")).toMatchObject({ title: "Sensitive file", ...asItComes });
    const saved = await updateDetector(admin, "file.sensitive", { enabled: true, verdict: "deny" }, 1);
    expect(saved).toMatchObject({ detector: { ...asItComes, id: "file.sensitive", verdict: "deny" }, policyVersion: 2 });
    expect(await summary()).toBe("Set detectors: file.sensitive gives deny");
    expect(await found("file.sensitive")).not.toHaveProperty("confinedBySandbox");
    expect(await found("shell.not_followed")).toMatchObject({ ...asItComes, confinedBySandbox: true });
    for (const inner of ["isFutile", "find", "mayFind", "appliesTo"]) expect(await found("network.private")).not.toHaveProperty(inner);
    await updateDetector(admin, "text.hidden", { enabled: false }, null);
    expect(await summary()).toBe("Set detectors: text.hidden off");
    expect(await found("file.sensitive")).toMatchObject({ verdict: "deny" });
    expect(await found("text.hidden")).toMatchObject({ ...asItComes, enabled: false });
    await updateDetector(admin, "file.sensitive", { enabled: true, verdict: "require_approval" }, null);
    expect(await summary()).toBe("Set detectors: file.sensitive as it comes");
    expect((await getConfig(admin)).detectors).toEqual({ "text.hidden": { enabled: false } });
    expect(await found("file.sensitive")).toMatchObject(asItComes);
    await updateDetector(admin, "file.sensitive", { enabled: true, verdict: "deny" }, null);
    const takenBack = await updateDetector(admin, "file.sensitive", DetectorChange.parse({ verdict: null }), null);
    expect(takenBack.detector).toMatchObject(asItComes);
    expect((await getConfig(admin)).detectors).toEqual({ "text.hidden": { enabled: false } });
    await expect(updateDetector(admin, "file.sensitive", { enabled: true }, 1)).rejects.toMatchObject({ code: "stale_version" });
    await expect(updateDetector(admin, "file.any", { enabled: true }, null)).rejects.toMatchObject({
      code: "not_found",
      message: "There is no detector file.any. GET /api/v1/guard/detectors lists them.",
    });
  });
});

describe("the setting of a detector", () => {
  test("that may not be relaxed is neither milder nor off", async () => {
    const why = "The detector mcp.prototype may be made stricter, but neither milder nor switched off";
    for (const setting of [
      { enabled: false },
      { enabled: true, verdict: "allow" },
      { enabled: true, verdict: "require_approval" },
    ] as const) {
      await expect(save({ detectors: { "mcp.prototype": setting } })).rejects.toMatchObject(refusal("detectors.mcp.prototype", why));
    }
    expect((await save({ detectors: { "mcp.prototype": { enabled: true, verdict: "deny" } } })).detectors).toEqual({});
    expect(await summary()).toBe("Set detectors: none changed");
  });

  test("that may be relaxed is whatever is asked, off with a verdict too", async () => {
    const detectors = {
      "file.sensitive": { enabled: true, verdict: "allow" },
      "text.hidden": { enabled: false, verdict: "deny" },
    } as const;
    expect((await save({ detectors: { ...detectors, "network.private": { enabled: true } } })).detectors).toEqual(detectors);
    expect(await summary()).toBe("Set detectors: file.sensitive gives allow, text.hidden off");
  });

  test("is only for a detector that there is", async () => {
    await expect(save({ detectors: { "file.any": { enabled: true } } })).rejects.toMatchObject(
      refusal("detectors.file.any", "There is no detector file.any. GET /api/v1/guard/detectors lists them"),
    );
  });
});

describe("a list of the configuration", () => {
  test("of denied tools has names for aliases, and nothing twice", async () => {
    expect((await save({ deniedTools: ["bash", "shell_execute", "fs__*", "fs__*"] })).deniedTools).toEqual(["shell_execute", "fs__*"]);
    expect(await summary()).toBe("Changed the denied tools: +shell_execute +fs__*");
    await expect(save({ deniedTools: ["bash", "effect:delete"] })).rejects.toMatchObject(
      refusal("deniedTools.1", 'The tool pattern effect:delete cannot be used: "effect:" takes read, write or destroy'),
    );
    await save({ deniedTools: ["fs__*", "web_*"] });
    expect(await summary()).toBe("Changed the denied tools: +web_* -shell_execute");
  });

  test("of sensitive paths and of escalate words has nothing twice", async () => {
    expect((await save({ sensitivePaths: ["secrets/**", "secrets/**", "a"] })).sensitivePaths).toEqual(["secrets/**", "a"]);
    expect(await summary()).toBe("Changed the sensitive paths: +secrets/** +a");
    expect((await save({ escalatePatterns: [...defaultEscalatePatterns.slice(1), "wire", "wire"] })).escalatePatterns).toEqual([
      ...defaultEscalatePatterns.slice(1),
      "wire",
    ]);
    expect(await summary()).toBe("Changed the sensitive verbs: +wire -send");
  });

  test("of allowed hosts has nothing twice, and stands in the next version", async () => {
    const allowedHosts = ["registry.npmjs.org", "*.example.com", "10.0.0.5:8080"];
    expect((await save({ allowedHosts: [...allowedHosts, "registry.npmjs.org"] })).allowedHosts).toEqual(allowedHosts);
    expect(await summary()).toBe("Changed the allowed hosts: +registry.npmjs.org +*.example.com +10.0.0.5:8080");
    await save({ allowedHosts: [] });
    expect(await summary()).toBe("Changed the allowed hosts: -registry.npmjs.org -*.example.com -10.0.0.5:8080");
    await restoreVersion(admin, 2);
    expect((await getConfig(admin)).allowedHosts).toEqual(allowedHosts);
  });

  test("is summed up by five entries and how many more", async () => {
    await save({ sensitivePaths: ["a", "b", "c", "d", "e"] });
    expect(await summary()).toBe("Changed the sensitive paths: +a +b +c +d +e");
    await save({ sensitivePaths: ["e", "d", "c", "b", "a"] });
    expect(await summary()).toBe("Changed the sensitive paths: nothing");
    await save({ sensitivePaths: ["f"] });
    expect(await summary()).toBe("Changed the sensitive paths: +f -e -d -c -b and 1 more");
  });
});

test("settings that are saved together are summed up together, and nothing as nothing", async () => {
  await save({ enabled: true, defaultPolicy: "allow", deniedTools: ["x"] });
  expect(await summary()).toBe('Switched the guard on, set the default policy to "allow", changed the denied tools: +x');
  await save({});
  expect(await summary()).toBe("Saved the configuration as it was");
  expect(await getConfig(admin)).toMatchObject({ defaultPolicy: "allow", deniedTools: ["x"], policyVersion: 3 });
});

test("settings that somebody else changed meanwhile are not written over, and that is said", async () => {
  await save({ enabled: false });
  await expect(updateConfig(admin, { enabled: true }, 1)).rejects.toMatchObject({
    code: "stale_version",
    message: "Somebody changed the policy meanwhile. Reload the policy, then repeat your change.",
  });
});

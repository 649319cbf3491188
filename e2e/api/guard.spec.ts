import { randomUUID } from "node:crypto";
import { auditEndpoints } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import { type GuardRuleDraft, guardEndpoints } from "@/contracts/guard/guard";
import { policyEndpoints } from "@/contracts/guard/policy";
import type { EvaluatedContext } from "@/contracts/guard/rule-conditions";
import { expect, readProblem, test } from "../fixtures";

/** A rule for a tool that does not exist, so that it changes nothing for other specs. */
function draftOf(content: Partial<GuardRuleDraft> = {}): GuardRuleDraft {
  const nothing = {
    parameter: null,
    pattern: null,
    excludePattern: null,
    comparisons: [],
    context: null,
    priority: 0,
    enabled: true,
    reason: "",
    expiresAt: null,
    relaxes: [],
    approvers: null,
  };
  return { name: `rule ${randomUUID()}`, tool: "no_such_tool", verdict: "deny", ...nothing, ...content };
}

test("a rule is created, read, changed and removed, and each step stands in the audit and in the versions", async ({ api }) => {
  const draft = draftOf();
  const response = await api.admin.send(guardEndpoints.createRule, { body: draft });
  expect(response.status).toBe(201);
  expect(response.headers.get("etag")).toBe('"1"');
  const created = guardEndpoints.createRule.response.parse(await response.json());
  expect(created).toMatchObject(draft);

  const params = { id: created.id };
  const { warnings, ...rule } = created;
  expect(warnings).toEqual(expect.any(Array));
  expect(await api.viewer.call(guardEndpoints.getRule, { params })).toMatchObject(rule);
  const { items: rules } = await api.viewer.call(guardEndpoints.listRules, { query: { limit: 200 } });
  expect(rules).toContainEqual(expect.objectContaining(rule));

  const changed = await api.admin.call(guardEndpoints.updateRule, { params, body: { ...draft, reason: "Nobody needs it" } });
  expect(changed).toMatchObject({ reason: "Nobody needs it", version: 2 });
  const stale = { headers: { "if-match": '"1"' } };
  expect(await api.admin.refusal(guardEndpoints.updateRule, { params, body: draft }, stale)).toMatchObject({ status: 412 });
  expect(await api.admin.refusal(guardEndpoints.removeRule, { params }, stale)).toMatchObject({ status: 412 });

  expect(await api.admin.call(guardEndpoints.removeRule, { params })).toEqual({});
  expect(await api.admin.refusal(guardEndpoints.getRule, { params })).toMatchObject({ status: 404 });
  expect(await api.admin.refusal(guardEndpoints.removeRule, { params })).toMatchObject({ status: 404 });

  const audit = await api.viewer.call(auditEndpoints.list, { query: { event: "guard_rule", query: draft.name } });
  expect(audit.items.map(({ event }) => event)).toEqual(["guard_rule.removed", "guard_rule.updated", "guard_rule.created"]);
  const { items } = await api.viewer.call(guardEndpoints.listVersions, { query: { limit: 3 } });
  expect(items.map(({ summary }) => summary)).toEqual([
    `Removed the rule "${draft.name}"`,
    `Changed the rule "${draft.name}"`,
    `Added the rule "${draft.name}"`,
  ]);
});

test("a pattern that cannot be used is refused and says where it is wrong", async ({ api }) => {
  const mistakes: [content: Partial<GuardRuleDraft>, path: string, message: string][] = [
    [{ pattern: "^(ls" }, "pattern", "at character 2"],
    [{ pattern: "a(?!b)" }, "pattern", "looking ahead and behind is not available"],
    [{ tool: "effect:delete" }, "tool", "read, write or destroy"],
    [{ tool: "rm -rf" }, "tool", "use a tool's name"],
    [{ relaxes: ["file.any"] }, "relaxes.0", "there is no detector file.any"],
    [{ relaxes: ["mcp.prototype"] }, "relaxes.0", "may not be relaxed"],
  ];
  for (const [content, path, message] of mistakes) {
    const refusal = await api.admin.refusal(guardEndpoints.createRule, { body: draftOf(content) });
    expect(refusal).toMatchObject({ status: 422, code: "invalid", errors: [{ path, message: expect.stringContaining(message) }] });
  }
});

test("the rule of the first day: look around freely, ask about anything else", async ({ api }) => {
  const rule = await api.admin.call(guardEndpoints.createRule, {
    body: draftOf({ tool: "shell_execute", pattern: "^(ls|cat|grep|find)\\b", verdict: "allow", priority: 500 }),
  });
  const others = await api.admin.call(guardEndpoints.createRule, {
    body: draftOf({ tool: "shell_execute", verdict: "require_approval", priority: 1 }),
  });
  const verdictOf = async (command: string) =>
    (await api.viewer.call(guardEndpoints.evaluate, { body: { tool: "shell_execute", arguments: { command } } })).verdict;
  try {
    expect(await verdictOf("ls -la src | grep test")).toBe("allow");
    for (const command of ["rm x", "ls; rm x", "ls $(rm x)", "ls > x", "find . -delete", "ls\nrm x", "ls & rm x", "cat <(rm x)"]) {
      expect(await verdictOf(command), command).toBe("require_approval");
    }
    expect(await verdictOf("sudo rm -rf /")).toBe("deny");
    expect(await verdictOf("echo reboot")).toBe("require_approval");
  } finally {
    for (const { id } of [rule, others]) await api.admin.call(guardEndpoints.removeRule, { params: { id } });
  }
});

test("a rule relaxes a detector for the calls that it decides, and for no others", async ({ api }) => {
  const pushing = draftOf({
    tool: "shell_execute",
    pattern: "^git push\\b",
    verdict: "allow",
    priority: 900_000,
    relaxes: ["shell.git_force_push", "network.connect"],
  });
  const { id } = await api.admin.call(guardEndpoints.createRule, { body: pushing });
  const evaluate = (command: string) =>
    api.viewer.call(guardEndpoints.evaluate, { body: { tool: "shell_execute", arguments: { command } } });
  const forced = await evaluate("git push --force");
  expect(forced).toMatchObject({ verdict: "allow", ruleId: id });
  expect(forced.findings).toContainEqual(expect.objectContaining({ detector: "shell.git_force_push", relaxedBy: id }));
  expect(forced.trace).toContainEqual(expect.objectContaining({ ruleId: "shell.git_force_push", result: "matched" }));
  expect(await evaluate("git push --force; rm -r x")).toMatchObject({ verdict: "require_approval" });
  expect(await evaluate("git push; rm -rf /")).toMatchObject({ verdict: "deny" });
  await api.admin.call(guardEndpoints.removeRule, { params: { id } });
  expect(await evaluate("git push --force")).toMatchObject({ verdict: "require_approval" });
});

test("an evaluation explains itself and runs nothing", async ({ api }) => {
  const evaluation = await api.viewer.call(guardEndpoints.evaluate, {
    body: { tool: "shell_execute", arguments: { command: "sudo reboot" } },
  });
  expect(evaluation).toMatchObject({
    tool: "shell_execute",
    seen: "sudo reboot",
    verdict: "deny",
    findings: [{ detector: "floor.power", severity: "critical", verdict: "deny", excerpt: "reboot" }],
  });
  const unknown = { body: { tool: "no_such_tool", arguments: {} } };
  expect(await api.viewer.refusal(guardEndpoints.evaluate, unknown)).toMatchObject({ status: 404 });
});

test("a preview takes a pattern that is not valid yet, and names the tools that the rule covers", async ({ api }) => {
  const preview = await api.viewer.call(guardEndpoints.previewRule, {
    body: { rule: draftOf({ name: "", tool: "needs:shell", pattern: "^(ls" }), last: 5 },
  });
  expect(preview.patternError).toMatchObject({ index: 1 });
  expect(preview.tools).toEqual(["acp_permission", "execute_code", "powershell", "process", "shell_execute"]);
  expect(preview.matched).toBe(0);
});

test("the configuration changes with an etag, and a version brings it back", async ({ api }) => {
  const before = await api.viewer.call(guardEndpoints.getConfig);
  const ifMatch = { headers: { "if-match": `"${before.policyVersion}"` } };
  const body = { approvalTimeoutSeconds: before.approvalTimeoutSeconds + 1 };
  const response = await api.admin.send(guardEndpoints.updateConfig, { body }, ifMatch);
  expect(response.status).toBe(200);
  expect(response.headers.get("etag")).toBe(`"${before.policyVersion + 1}"`);
  const again = await api.admin.send(guardEndpoints.updateConfig, { body }, ifMatch);
  expect(again.status).toBe(412);
  expect(await readProblem(again)).toMatchObject({ code: "stale_version" });

  const lost = await api.admin.send(guardEndpoints.updateConfig, { body: JSON.parse('{"detectors":{"__proto__":{"enabled":false}}}') });
  expect(await readProblem(lost)).toMatchObject({ code: "invalid", errors: [{ path: "detectors.__proto__" }] });

  const restored = await api.admin.call(guardEndpoints.restoreVersion, { params: { version: before.policyVersion } });
  expect(restored).toMatchObject({ approvalTimeoutSeconds: before.approvalTimeoutSeconds, policyVersion: before.policyVersion + 2 });
  expect(await api.admin.refusal(guardEndpoints.restoreVersion, { params: { version: 999_999 } })).toMatchObject({ status: 404 });
});

test("the order of rules is set by all their ids", async ({ api }) => {
  const made = [
    await api.admin.call(guardEndpoints.createRule, { body: draftOf() }),
    await api.admin.call(guardEndpoints.createRule, { body: draftOf() }),
  ];
  const ids = (await api.viewer.call(guardEndpoints.listRules, { query: { limit: 200 } })).items.map(({ id }) => id);
  const turned = ids.toReversed();
  const { items } = await api.admin.call(guardEndpoints.orderRules, { body: { ids: turned } });
  expect(items.map(({ id }) => id)).toEqual(turned);
  expect(await api.admin.refusal(guardEndpoints.orderRules, { body: { ids: turned.slice(1) } })).toMatchObject({ status: 409 });
  await api.admin.call(guardEndpoints.orderRules, { body: { ids } });
  for (const { id } of made) await api.admin.call(guardEndpoints.removeRule, { params: { id } });
});

test("a rule asks more than a pattern, and an evaluation says what it could not tell", async ({ api }) => {
  const rule = await api.admin.call(guardEndpoints.createRule, {
    body: {
      name: `rule ${randomUUID()}`,
      tool: "url_fetch",
      verdict: "deny",
      priority: 900,
      parameter: "/headers/*",
      pattern: "secret",
      comparisons: [{ parameter: "url", operator: "not in", value: ["https://example.com/"] }],
      context: { origins: ["cron"], time: { days: ["mon"], zone: "UTC" } },
    },
  });
  const evaluate = async (args: JsonObject, context?: EvaluatedContext) => {
    const { trace } = await api.viewer.call(guardEndpoints.evaluate, {
      body: { tool: "url_fetch", arguments: args, ...(context ? { context } : {}) },
    });
    return trace.find(({ ruleId }) => ruleId === rule.id)?.result;
  };
  const monday = { origin: "cron", at: "2026-03-02T12:00:00Z", interactive: false } as const;
  const args = { url: "https://example.org/", headers: { a: "my secret" } };
  try {
    expect(await evaluate(args, monday)).toBe("matched");
    expect(await evaluate({ ...args, headers: { a: "x" } }, monday)).toBe("not_matched");
    expect(await evaluate({ ...args, url: "https://example.com/" }, monday)).toBe("not_matched");
    expect(await evaluate(args, { ...monday, at: "2026-03-03T12:00:00Z" })).toBe("not_matched");
    expect(await evaluate(args, { ...monday, origin: "chat" })).toBe("not_matched");
    expect(await evaluate(args, { at: monday.at, interactive: true })).toBe("could_not_evaluate");
    // Without headers there is nothing that the pattern could be found in.
    expect(await evaluate({ url: args.url }, monday)).toBe("not_matched");
  } finally {
    await api.admin.call(guardEndpoints.removeRule, { params: { id: rule.id } });
  }
  for (const [content, path] of [
    [{ excludePattern: "(" }, "excludePattern"],
    [{ parameter: "/a~2" }, "parameter"],
    [{ comparisons: [{ parameter: "a", operator: ">", value: "1" }] }, "comparisons.0.value"],
    [{ context: { time: { zone: "Mars/Base" } } }, "context.time.zone"],
  ] as const) {
    const body = JSON.stringify({ name: "x", tool: "*", verdict: "deny", ...content });
    const response = await api.admin.fetch("/api/v1/guard/rules", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect(response.status).toBe(422);
    expect((await readProblem(response)).errors?.map((error) => error.path)).toContain(path);
  }
});

test("rules are exported, and imported all or not at all", async ({ api }) => {
  const rule = await api.admin.call(guardEndpoints.createRule, { body: draftOf() });
  const exported = await api.viewer.call(policyEndpoints.exportRules);
  expect(exported.rules.map(({ id }) => id)).toContain(rule.id);
  const { schema } = exported;
  const changed = { ...draftOf(), id: rule.id, reason: "From a file" };
  const looked = await api.admin.call(policyEndpoints.importRules, { body: { schema, rules: [changed], dryRun: true } });
  expect(looked).toMatchObject({ applied: false, updated: 1, diff: { total: 1 } });
  const bad = { body: { schema, rules: [changed, { name: "Bad", tool: "*", verdict: "deny", pattern: "(" }] } };
  expect(await api.admin.refusal(policyEndpoints.importRules, bad)).toMatchObject({
    status: 422,
    errors: [{ path: "rules.1.pattern", message: expect.stringContaining("at character 1") }],
  });
  expect(await api.admin.call(policyEndpoints.importRules, { body: { schema, rules: [changed] } })).toMatchObject({
    applied: true,
    updated: 1,
  });
  const stale = { headers: { "if-match": `"${looked.policyVersion}"` } };
  expect(await api.admin.refusal(policyEndpoints.importRules, { body: { schema, rules: [draftOf()] } }, stale)).toMatchObject({
    status: 412,
  });
  expect(await api.viewer.refusal(policyEndpoints.importRules, { body: { schema, rules: [changed] } })).toMatchObject({ status: 403 });
  await api.admin.call(guardEndpoints.removeRule, { params: { id: rule.id } });
  const { version } = (await api.viewer.call(guardEndpoints.listVersions, { query: { limit: 1 } })).items[0] ?? { version: 0 };
  const { diff } = await api.viewer.call(policyEndpoints.getVersion, { params: { version } });
  expect(diff).toMatchObject({ total: 1, rules: [{ kind: "removed", ruleId: rule.id }] });
});

test("a change is tried on recorded calls and saves nothing", async ({ api }) => {
  const before = await api.viewer.call(guardEndpoints.getConfig);
  const rule = { ...draftOf(), tool: "date_time" };
  const simulation = await api.viewer.call(policyEndpoints.simulate, { body: { change: { kind: "save", rule }, over: { days: 7 } } });
  expect(simulation.examined).toBeLessThanOrEqual(simulation.total);
  expect(simulation.policyVersion).toBe(before.policyVersion);
  expect(await api.viewer.call(policyEndpoints.simulate, { body: { config: { defaultPolicy: "deny" }, over: { last: 5 } } })).toMatchObject(
    {
      nextCursor: null,
    },
  );
  const wrong = { body: { change: { kind: "save" as const, rule: { ...rule, pattern: "(" } } } };
  expect(await api.viewer.refusal(policyEndpoints.simulate, wrong)).toMatchObject({ status: 422, code: "invalid" });
  expect(await api.viewer.call(policyEndpoints.getFile)).toEqual({ file: null });
  expect(await api.viewer.call(guardEndpoints.getConfig)).toEqual(before);
});

test("another workspace sees and changes nothing of it", async ({ api }) => {
  const { warnings, ...rule } = await api.admin.call(guardEndpoints.createRule, { body: draftOf() });
  const params = { id: rule.id };
  expect(await api.stranger.refusal(guardEndpoints.getRule, { params })).toMatchObject({ status: 404 });
  expect(await api.stranger.refusal(guardEndpoints.updateRule, { params, body: draftOf() })).toMatchObject({ status: 404 });
  expect(await api.stranger.refusal(guardEndpoints.removeRule, { params })).toMatchObject({ status: 404 });
  expect((await api.stranger.call(guardEndpoints.listRules)).items.map(({ id }) => id)).not.toContain(rule.id);
  expect(await api.admin.call(guardEndpoints.getRule, { params })).toMatchObject(rule);
  await api.admin.call(guardEndpoints.removeRule, { params });
});

test("who may only read cannot save", async ({ api }) => {
  for (const who of [api.viewer, api.approver, api.agent]) {
    expect(await who.refusal(guardEndpoints.createRule, { body: draftOf() })).toMatchObject({ status: 403 });
    expect(await who.refusal(guardEndpoints.updateConfig, { body: { enabled: false } })).toMatchObject({ status: 403 });
  }
  expect(await api.agent.refusal(guardEndpoints.listRules)).toMatchObject({ status: 403 });
});

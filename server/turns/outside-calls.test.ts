import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { GuardRuleDraft } from "@/contracts/guard/guard";
import { decideApproval } from "@/server/approvals/decide-approval";
import { sandboxStatus } from "@/server/capabilities/sandbox/sandbox-status";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { env } from "@/server/platform/env";
import { createRule } from "@/server/policy/rules/create-rule";
import { authorize } from "@/server/testing/builders";
import { addBuiltinTools } from "@/server/testing/builtin-tools";
import { approverActor, neverAborted, onlyApproval, statuses, submitCalls, useStage } from "@/server/testing/stage";
import { waitForTurn } from "./read/wait-for-turn";

const stage = useStage();
beforeEach(() => addBuiltinTools(stage.built.workspace.id));

const folder = () => workspaceFolder({ id: stage.conversationId, workspaceId: stage.built.workspace.id }, { sharedFolder: null });
const ask = (name: string, args: JsonObject) => submitCalls(stage, [[name, args]], { wait: 30 });
const shell = (command: string) => ask("shell_execute", { command });
type Turn = Awaited<ReturnType<typeof ask>>;
const contentOf = (turn: Turn) => turn.calls[0]?.content ?? "";
async function approve(turn: Turn) {
  const goesOn = waitForTurn(turn.id, 30, neverAborted);
  await decideApproval(approverActor(stage), (await onlyApproval(turn.id)).id, { decision: "approve", comment: "" });
  return goesOn;
}

/** A name of docker's family that hardly any machine has. Only root may install it, as it would install docker. */
const systemDocker = "/usr/local/bin/nerdctl";
const canInstall = sandboxStatus().isOn && process.getuid?.() === 0 && !existsSync(systemDocker);
/** Installs a docker that prints its environment, runs a plugin of its HOME as docker does, and repeats its input to bash for `exec`. */
function installDocker() {
  const plugin = `for plugin in "$HOME/.docker/cli-plugins/nerdctl-$1"; do [ -x "$plugin" ] && "$plugin"; done`;
  writeFileSync(systemDocker, `#!/bin/sh\n/usr/bin/env\n${plugin}\nif [ "$1" = attach ]; then exec bash; fi\n`);
  chmodSync(systemDocker, 0o755);
  onTestFinished(() => rmSync(systemDocker, { force: true }));
}
const marker = () => path.join(folder(), "ran-outside");
/** Puts a program of the agent into the folder that would leave a mark as Handrail's user. */
function plant(file: string) {
  const full = path.join(folder(), file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, `#!/bin/sh\necho "$$ $(id -un)" > ${marker()}\n`);
  chmodSync(full, 0o755);
}
const ruleForDocker = () =>
  createRule(
    authorize(stage.built.admin, "guard:write"),
    GuardRuleDraft.parse({
      name: "docker",
      tool: "shell_execute",
      pattern: "^nerdctl(?: |$)",
      verdict: "allow",
      reason: "docker is used here",
    }),
  );

describe.runIf(canInstall)("under a rule for docker", () => {
  test("docker runs in a bare place, whatever the conversation exported, and no plugin of the folder runs", async () => {
    installDocker();
    await ruleForDocker();
    plant(".docker/cli-plugins/nerdctl-ps");
    await shell("export CONTAINER_HOST=tcp://evil.example BUILDKIT_HOST=tcp://evil.example GREETING=hello");
    const turn = await shell("nerdctl ps");
    expect(statuses(turn), contentOf(turn)).toEqual(["succeeded"]);
    expect(turn.calls[0]?.decision).toMatchObject({ verdict: "allow", runsOutside: { home: null } });
    expect(contentOf(turn)).toContain("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n");
    expect(contentOf(turn)).not.toMatch(/CONTAINER_HOST|BUILDKIT_HOST|GREETING|BASH_ENV/);
    expect(/^HOME=(.*)$/m.exec(contentOf(turn))?.[1]).not.toBe(folder());
    expect(existsSync(marker())).toBe(false);
    expect(contentOf(await shell("echo $GREETING"))).toContain("hello");
  });

  test.each([
    "PATH=./bin:$PATH nerdctl ps",
    "env PATH=./bin nerdctl ps",
    "BASH_ENV=./bin/nerdctl nerdctl ps",
    "HOME=. nerdctl ps",
    "DOCKER_HOST=tcp://evil.example nerdctl ps",
    "DOCKER_CONFIG=.docker nerdctl ps",
    "nerdctl --config .nerdctl ps",
  ])("%s asks", async (command) => {
    installDocker();
    await ruleForDocker();
    plant("bin/nerdctl");
    expect((await shell(command)).status).toBe("suspended");
    expect(existsSync(marker())).toBe(false);
  });
});

test.runIf(canInstall)("a plugin that an admin put into HOME runs, and the decision names the folder", async () => {
  installDocker();
  await ruleForDocker();
  const plugins = path.join(env().sandbox.outsideHome, ".docker/cli-plugins");
  mkdirSync(plugins, { recursive: true });
  chmodSync(env().sandbox.outsideHome, 0o700);
  onTestFinished(() => rmSync(env().sandbox.outsideHome, { recursive: true, force: true }));
  writeFileSync(path.join(plugins, "nerdctl-ps"), "#!/bin/sh\necho plugin of the admin\n");
  chmodSync(path.join(plugins, "nerdctl-ps"), 0o755);
  const turn = await shell("nerdctl ps");
  expect(contentOf(turn)).toContain("plugin of the admin");
  expect(turn.calls[0]?.decision?.runsOutside?.home).toBe(env().sandbox.outsideHome);
});

describe.runIf(sandboxStatus().isOn)("a line that mixes", () => {
  test("asks nobody, runs nothing, and is answered with how to split it; its parts are not refused afterwards", async () => {
    plant("deploy.sh");
    const turn = await shell("nerdctl ps; sh deploy.sh");
    expect(statuses(turn)).toEqual(["failed"]);
    expect(contentOf(turn)).toMatch(/has to be split.*`nerdctl ps` needs the machine.*Send the rest in another call.*`sh deploy\.sh`/s);
    expect(turn.calls[0]?.decision).toMatchObject({ split: ["nerdctl ps"] });
    expect(existsSync(marker())).toBe(false);
    const inside = await shell("sh deploy.sh");
    expect(statuses(inside), contentOf(inside)).toEqual(["succeeded"]);
    expect(readFileSync(marker(), "utf8")).toContain("agent");
    const alone = await shell("nerdctl ps");
    expect(alone.status).toBe("suspended");
    expect(alone.calls[0]?.decision?.reason).not.toContain("refused");
  });
});

const useProcesses = () => ask("enable_tool", { toolName: "process" });
const idOf = (turn: Turn): string => /proc_[0-9a-f]{8}/.exec(contentOf(turn))?.[0] ?? "";

describe.runIf(sandboxStatus().isOn)("a process", () => {
  test("in the sandbox asks nobody about a command that it cannot reach", async () => {
    await useProcesses();
    const id = idOf(await ask("process", { action: "start", command: "bash" }));
    const turn = await ask("process", { action: "write", id, command: "nerdctl ps; sudo ls" });
    expect(statuses(turn), contentOf(turn)).toEqual(["succeeded"]);
    expect(contentOf(turn)).toContain("not found");
    expect(turn.calls[0]?.decision?.runsOutside).toBeUndefined();
    await ask("process", { action: "kill", id });
  });

  test("cannot be started outside together with a shell", async () => {
    await useProcesses();
    const turn = await ask("process", { action: "start", command: "nerdctl ps; bash" });
    expect(turn.calls[0]).toMatchObject({ status: "failed", decision: { split: ["nerdctl ps"] } });
  });

  test.runIf(canInstall)("outside the sandbox asks before each input, also one that reads like a look around", async () => {
    installDocker();
    plant("a.sh");
    await useProcesses();
    const started = await approve(await ask("process", { action: "start", command: "nerdctl attach web" }));
    const id = idOf(started);
    for (const command of ["sh a.sh", "ls"]) {
      const turn = await ask("process", { action: "write", id, command });
      expect(turn.status, command).toBe("suspended");
      expect(turn.calls[0]?.decision).toMatchObject({ runsOutside: {} });
      await decideApproval(approverActor(stage), (await onlyApproval(turn.id)).id, { decision: "reject", comment: "" });
    }
    expect(existsSync(marker())).toBe(false);
    await ask("process", { action: "kill", id });
  });
});

import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { guardEndpoints } from "@/contracts/guard/guard";
import { sandboxEndpoints } from "@/contracts/guard/sandbox";
import { identityEndpoints } from "@/contracts/identity/identity";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import { type Caller, caller } from "../caller";
import { adminEmail, adminPassword, type Product, startProduct } from "../product";
import { giveTo, productUsers } from "../product-users";

/** A name of docker's family that hardly any machine has; the stand-in stands where an installed one would. */
const program = "nerdctl";
const installed = `/usr/local/bin/${program}`;
const roads = [
  `PATH=./bin:$PATH ${program} ps`,
  `env PATH=./bin ${program} ps`,
  `BASH_ENV=./evil.sh ${program} ps`,
  `LD_PRELOAD=./evil.so ${program} ps`,
  `HOME=. ${program} ps`,
  `DOCKER_CONFIG=. ${program} ps`,
  `CONTAINER_HOST=tcp://evil.example ${program} ps`,
  `${program} --config . ps`,
  `${program} -H unix://./evil.sock ps`,
  `${program} --cni-path=./bin ps`,
  `${program} compose up -d`,
];
const mixed = [
  `${program} ps; sh evil.sh`,
  `${program} ps && ./evil.sh`,
  `${program} ps | sh evil.sh`,
  `${program} ps <(sh evil.sh)`,
  `sh -c '${program} ps; sh evil.sh'`,
  `${program}() { ./evil.sh; }; ${program} ps`,
  `export PATH=./bin; ${program} ps`,
];

/** Only root may install the stand-in, and never over a program that is there. The other journeys need no program. */
const isStaged = process.getuid?.() === 0 && !existsSync(installed);

for (const { who, user } of productUsers()) {
  test.describe(`outside the sandbox, in the production build that runs ${who}`, () => {
    let data: string;
    let folder: string;
    let product: Product;
    let admin: Caller;
    let agent: Caller;
    let conversation: string;

    test.beforeAll(async () => {
      test.setTimeout(600_000);
      const record = `#!/bin/sh\n/usr/bin/env\n[ -x "$HOME/.docker/cli-plugins/${program}-ps" ] && "$HOME/.docker/cli-plugins/${program}-ps"\nexit 0\n`;
      if (isStaged) {
        writeFileSync(installed, record);
        chmodSync(installed, 0o755);
      }
      data = mkdtempSync("/var/tmp/handrail-outside-");
      giveTo(data, user);
      product = await startProduct({ dataDir: data, name: "outside", user, variables: { OUTSIDE_SECRET: "secret-4411" } });
      agent = caller(product.url, product.agentKey());
      const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
      admin = caller(product.url, token);
      const { isOn, sentence } = await admin.call(sandboxEndpoints.status);
      expect(isOn, sentence).toBe(true);
      const { workspace } = await admin.call(identityEndpoints.me);
      conversation = (await agent.call(conversationEndpoints.create, { body: {} })).id;
      folder = path.join(data, "workspaces", workspace.id, "conversations", conversation);
      for (const file of ["evil.sh", `bin/${program}`, `.docker/cli-plugins/${program}-ps`]) {
        mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
        writeFileSync(path.join(folder, file), `#!/bin/sh\n/usr/bin/id -un >> ${path.join(folder, "ran")}\n`);
        chmodSync(path.join(folder, file), 0o755);
      }
      giveTo(data, user);
      await admin.call(guardEndpoints.createRule, {
        body: { name: program, tool: "shell_execute", pattern: `^${program}(?: |$)`, verdict: "allow", reason: "It is used here." },
      });
    });
    test.afterAll(async () => {
      await product?.stop();
      rmSync(data, { recursive: true, force: true });
      if (isStaged) rmSync(installed, { force: true });
    });

    const run = async (command: string): Promise<Turn> => {
      const calls = [{ id: "call", name: "shell_execute", arguments: { command, timeoutSeconds: 20 } }];
      let turn = await agent.call(turnEndpoints.submit, { params: { id: conversation }, body: { calls, wait: 60 } });
      while (turn.status !== "completed" && turn.status !== "suspended")
        turn = await agent.call(turnEndpoints.get, { params: { id: turn.id }, query: { wait: 60 } });
      return turn;
    };
    const cancelPending = async () => {
      const { items } = await admin.call(approvalEndpoints.list, { query: { status: "pending" } });
      for (const { id } of items) await admin.call(approvalEndpoints.decide, { params: { id }, body: { decision: "reject", comment: "" } });
    };

    for (const command of roads) {
      test(`a person is asked about ${command}`, async () => {
        expect((await run(command)).status).toBe("suspended");
        await cancelPending();
        expect(existsSync(path.join(folder, "ran"))).toBe(false);
      });
    }

    for (const command of mixed) {
      test(`nobody is asked about ${command}, and nothing of it runs`, async () => {
        const turn = await run(command);
        expect(turn.calls[0]).toMatchObject({ status: "failed", content: expect.stringContaining("has to be split") });
        expect((await admin.call(approvalEndpoints.list, { query: { status: "pending" } })).items).toEqual([]);
        expect(existsSync(path.join(folder, "ran"))).toBe(false);
      });
    }

    if (isStaged) {
      test("the rule's program gets the system's PATH, a HOME without the agent's files, and no variable of the conversation", async () => {
        await run("export CONTAINER_HOST=tcp://evil.example GREETING=hello");
        const [call] = (await run(`${program} ps`)).calls;
        expect(call?.status, call?.content ?? "").toBe("succeeded");
        expect(call?.content).toContain("PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n");
        expect(call?.content).not.toMatch(/CONTAINER_HOST|GREETING|BASH_ENV|secret-4411/);
        expect(call?.content).not.toContain(`HOME=${folder}`);
        expect(call?.decision?.runsOutside?.user).toBeTruthy();
        expect(existsSync(path.join(folder, "ran"))).toBe(false);
      });

      test("what an admin puts into the HOME is there, and the decision names the folder", async () => {
        const plugins = path.join(data, "outside-home/.docker/cli-plugins");
        mkdirSync(plugins, { recursive: true });
        writeFileSync(path.join(plugins, `${program}-ps`), "#!/bin/sh\necho plugin of the admin\n");
        chmodSync(path.join(plugins, `${program}-ps`), 0o755);
        giveTo(data, user);
        const [call] = (await run(`${program} ps`)).calls;
        expect(call?.content).toContain("plugin of the admin");
        expect(call?.decision?.runsOutside?.home).toBe(path.join(data, "outside-home"));
        expect(readFileSync(path.join(plugins, `${program}-ps`), "utf8")).toContain("admin");
      });
    }
  });
}

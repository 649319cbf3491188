import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { approvalEndpoints } from "@/contracts/approvals/approvals";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { sandboxEndpoints } from "@/contracts/guard/sandbox";
import { identityEndpoints } from "@/contracts/identity/identity";
import { type Turn, turnEndpoints } from "@/contracts/turns/turns";
import { type Caller, caller } from "../caller";
import { adminEmail, adminPassword, type Product, startProduct } from "../product";
import { giveTo, productUsers } from "../product-users";
import { theftCommands } from "../secret-theft-commands";

const secret = "secret-0f2a7c";
const callsPerTurn = 16;
const names = Object.keys(theftCommands);

for (const { who, user } of productUsers()) {
  test.describe(`a thief's script in the production build that runs ${who}`, () => {
    let data: string;
    let folder: string;
    let product: Product;
    let admin: Caller;
    let sockets: Server[];
    let secretKey: string;
    const printed = new Map<string, string>();

    test.beforeAll(async () => {
      test.setTimeout(600_000);
      // Not below /tmp, because commands have a /tmp of their own and would miss it for that reason alone.
      data = mkdtempSync("/var/tmp/handrail-thief-");
      giveTo(data, user);
      product = await startProduct({ dataDir: data, name: "thief", user, variables: { THIEF_SECRET: secret } });
      const agent = caller(product.url, product.agentKey());
      const { token } = await agent.call(identityEndpoints.token, { body: { email: adminEmail, password: adminPassword } });
      admin = caller(product.url, token);
      const { isOn, sentence } = await admin.call(sandboxEndpoints.status);
      expect(isOn, sentence).toBe(true);
      const { workspace } = await admin.call(identityEndpoints.me);
      const [thief, other] = await Promise.all([newConversation(agent), newConversation(agent)]);
      const conversations = path.join(data, "workspaces", workspace.id, "conversations");
      folder = path.join(conversations, thief);
      plant(data, folder, path.join(conversations, other), other);
      const abstract = `handrail-${path.basename(data)}`;
      sockets = await Promise.all([path.join(data, "sock"), `\0${abstract}`].map(listen));
      const known = {
        data,
        workspace: workspace.id,
        other,
        abstract,
        port: new URL(product.url).port,
        pid: String(serverPid(data)),
      };
      // The guard reads the name of a script and not what is in it: the kernel has to hold each line.
      for (const [index, { command }] of Object.values(theftCommands).entries()) {
        writeFileSync(
          path.join(folder, `line-${index}.sh`),
          `${command.replace(/\{(\w+)\}/g, (all, name) => known[name as keyof typeof known] ?? all)}\n`,
        );
      }
      giveTo(data, user);
      secretKey = readFileSync(path.join(data, "secret-key"), "utf8").trim();
      for (let first = 0; first < names.length; first += callsPerTurn) {
        const calls = names.slice(first, first + callsPerTurn).map((name, place) => ({
          id: name,
          name: "shell_execute",
          arguments: { command: `sh ./line-${first + place}.sh`, timeoutSeconds: 20 },
        }));
        const turn = await agent.call(turnEndpoints.submit, { params: { id: thief }, body: { calls, wait: 60 } });
        for (const { id, status, content } of (await endOf(agent, turn)).calls) printed.set(id, `${status} ${content}`);
      }
    });
    test.afterAll(async () => {
      for (const socket of sockets ?? []) socket.close();
      await product?.stop();
      rmSync(data, { recursive: true, force: true });
    });

    test("every line ran, and nobody was asked", async () => {
      const { items } = await admin.call(approvalEndpoints.list);
      expect(items).toEqual([]);
      expect([...printed.keys()]).toEqual(names);
    });

    for (const name of names) {
      test(`gets nothing when it ${name}`, () => {
        const answer = printed.get(name) ?? "";
        expect(answer).toContain("tried");
        for (const taken of ["TAKEN", secret, secretKey]) expect(answer).not.toContain(taken);
      });
    }

    test("leaves files of git, secrets and other conversations as they were", () => {
      expect(readFileSync(path.join(folder, ".git/hooks/pre-commit"), "utf8")).toBe("exit 0\n");
      expect(readFileSync(path.join(folder, ".env"), "utf8")).toBe(`KEY=${secret}\n`);
      expect(readdirSync(path.dirname(folder))).toHaveLength(2);
      for (const place of ["/", "/run", "/var/tmp", "/dev", "/home", path.dirname(folder), data]) {
        expect(existsSync(path.join(place, "thief")), place).toBe(false);
      }
    });
  });
}

const newConversation = async (agent: Caller) => (await agent.call(conversationEndpoints.create, { body: {} })).id;

/** Secrets of others, and links to them, made before the thief begins. */
function plant(data: string, folder: string, other: string, otherId: string): void {
  const write = (file: string, content: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  write(path.join(other, "notes.txt"), `${secret}\n`);
  write(path.join(data, "sandbox/tmp", otherId, "draft"), `${secret}\n`);
  write(path.join(folder, ".env"), `KEY=${secret}\n`);
  write(path.join(folder, "nested/.env"), `KEY=${secret}\n`);
  write(path.join(folder, ".ssh/id_thief"), `${secret}\n`);
  write(path.join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
  write(path.join(folder, ".git/config"), "[core]\n\tbare = false\n");
  write(path.join(folder, ".git/hooks/pre-commit"), "exit 0\n");
  mkdirSync(path.join(folder, ".git/objects"));
  mkdirSync(path.join(folder, ".git/refs"));
  symlinkSync(path.join(data, "secret-key"), path.join(folder, "planted"));
  symlinkSync(data, path.join(folder, "planted-folder"));
}

function listen(where: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on("error", () => {}).end()).once("error", reject);
    server.listen(where, () => resolve(server));
  });
}

const serverPid = (data: string) => Number(/\d+/.exec(readFileSync(path.join(data, "lock.txt"), "utf8"))?.[0]);

async function endOf(agent: Caller, turn: Turn): Promise<Turn> {
  let now = turn;
  while (now.status !== "completed" && now.status !== "suspended")
    now = await agent.call(turnEndpoints.get, { params: { id: turn.id }, query: { wait: 60 } });
  return now;
}

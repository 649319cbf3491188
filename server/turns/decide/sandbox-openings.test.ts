import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Decision } from "@/contracts/decisions/decision";
import { callNetwork } from "@/server/capabilities/sandbox/network/conversation-network";
import type { ProxyGrant } from "@/server/capabilities/sandbox/network/host-proxy";
import { decide } from "@/server/guard/decide";
import type { Policy } from "@/server/policy/policy";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import type { TurnContext } from "../turn-context";
import { approvedHosts, fileKinds, networkFor, openingsFor } from "./sandbox-openings";

vi.mock("@/server/capabilities/sandbox/network/conversation-network", () => ({ callNetwork: vi.fn() }));

const operatorsHost = "192.168.0.9:80";
beforeAll(() => vi.stubEnv("HANDRAIL_SANDBOX_PRIVATE_HOSTS", operatorsHost));

const folder = "/srv/work";
const conversation = { id: "c", refusals: null } as TurnContext["conversation"];
const policyWith = (config: Parameters<typeof policyOfRules>[1] = {}) => policyOfRules([], config) as Policy;
const openings = (command: string, config?: Parameters<typeof policyOfRules>[1]) => {
  const policy = policyWith(config);
  const call = shellCall(command);
  return openingsFor({ policy, folder, conversation }, decide(policy, { ...call, context: { ...call.context, folder, sandboxed: true } }));
};

describe("the sandbox opens", () => {
  test("nothing for a call that stays in it", () => {
    expect(openings("ls -la && echo x > file && cat /etc/os-release && rm -rf dist")).toEqual({
      hosts: [],
      readable: [],
      writable: [],
      uncovered: [],
      refused: [],
      host: false,
      unprotected: false,
    });
  });

  test("the hosts that the call names, and those that are allowed in general, each once", () => {
    const allowed = { allowedHosts: ["registry.npmjs.org", "*.example.com"] };
    expect(openings("curl -s https://files.example.org/a https://registry.npmjs.org/b", allowed).hosts.toSorted()).toEqual([
      "*.example.com",
      "files.example.org",
      "registry.npmjs.org",
    ]);
    expect(openings("ls", allowed).hosts).toEqual(allowed.allowedHosts);
  });

  test("any host where only the command knows which", () => {
    expect(openings('curl "$WHERE"').hosts).toEqual(["*"]);
  });

  test("paths outside by their absolute names, those to be changed apart", () => {
    expect(openings("cat /var/log/app.log ../other/notes && cp a.txt /srv/shared/a.txt")).toMatchObject({
      readable: expect.arrayContaining(["/var/log/app.log", "/srv/other/notes"]),
      writable: ["/srv/shared/a.txt"],
    });
  });

  test("sensitive files of the folder by their names in it, and files that run by themselves for changes", () => {
    expect(openings("cat .env")).toMatchObject({ uncovered: [".env"], writable: [] });
    expect(openings("echo x > .git/hooks/pre-commit")).toMatchObject({ uncovered: [], writable: ["/srv/work/.git/hooks/pre-commit"] });
  });

  test.each(["sudo ls", "docker ps"])("the machine itself for %s", (command) => {
    expect(openings(command).host).toBe(true);
  });
});

describe("a file of the folder is", () => {
  const kindOf = fileKinds(policyWith({ sensitivePaths: ["notes/private/**"] }));
  test.each([
    [".env", "sensitive"],
    ["app/.ssh", "sensitive"],
    ["notes/private/a.md", "sensitive"],
    [".git", null],
    [".git/config", "runs_by_itself"],
    [".git/hooks", "runs_by_itself"],
    [".git/objects", null],
    ["Makefile.local", null],
    [".vscode/tasks.json", "runs_by_itself"],
    ["src/index.ts", null],
  ] as const)("%s: %s", (file, kind) => {
    expect(kindOf(file)).toBe(kind);
  });
});

describe("the network of a call", () => {
  const grantOf = async (hosts: readonly string[], config?: Parameters<typeof policyOfRules>[1], approved: readonly string[] = []) => {
    const grants: [ProxyGrant["hosts"], Omit<ProxyGrant, "hosts">?][] = [];
    const made = { url: "", environment: {}, troubles: () => [], recheck: () => {}, close: () => {} };
    vi.mocked(callNetwork).mockResolvedValueOnce({
      enter: ["enter"],
      proxy: async (...grant) => {
        grants.push(grant);
        return made;
      },
      forward: async () => ({ names: {}, faults: [], close: () => {} }),
    });
    const network = await networkFor(policyWith(config), { approved })("c", { isNeeded: true });
    await network?.proxy(hosts);
    return grants[0];
  };

  test("has a proxy to the hosts that are opened, and to any host where one is not known", async () => {
    expect((await grantOf(["a.example.com", "b.example.com:8443"]))?.[0]).toEqual(["a.example.com", "b.example.com:8443"]);
    expect((await grantOf(["a.example.com", "*"]))?.[0]).toBe("any");
  });

  test("has private addresses only where somebody listed them with their port", async () => {
    const allowedHosts = ["registry.example.com", "10.0.0.5:4873", "db.internal:5432"];
    expect((await grantOf(["*"], { allowedHosts }))?.[1]?.privateHosts).toEqual(["10.0.0.5:4873", "db.internal:5432", operatorsHost]);
    expect((await grantOf(["*"]))?.[1]?.privateHosts).toEqual([operatorsHost]);
  });

  test("has the private addresses that a person approved for this call, and no others", async () => {
    const approvedBy = (command: string, more: Partial<Decision> = {}) => {
      const call = shellCall(command);
      const decision = decide(policyWith(), { ...call, context: { ...call.context, folder, sandboxed: true } });
      return approvedHosts(policyWith(), { decision: { ...decision, ...more }, arguments: call.arguments });
    };
    expect(approvedBy("curl https://grafana.internal/a http://10.0.0.5 http://web:3000")).toEqual([
      "grafana.internal:443",
      "10.0.0.5:80",
      "web:3000",
    ]);
    expect(approvedBy("curl http://[fd00::5]:8080/ https://example.com http://localhost:3000")).toEqual(["[fd00::5]:8080"]);
    expect(approvedBy("curl http://169.254.169.254/")).toEqual([]);
    // Nobody looked at the address: the detector is off, and everything is allowed.
    expect(approvedBy("curl http://10.0.0.5", { verdict: "allow", findings: [] })).toEqual([]);
    expect((await grantOf(["10.0.0.5"], {}, ["10.0.0.5:80"]))?.[1]?.privateHosts).toEqual([operatorsHost, "10.0.0.5:80"]);
  });

  test("is none where the conversation has none and the call needs none", async () => {
    vi.mocked(callNetwork).mockResolvedValueOnce(null);
    expect(await networkFor(policyWith())("c", { isNeeded: false })).toBeNull();
  });
});

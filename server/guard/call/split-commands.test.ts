import { describe, expect, test } from "vitest";
import { examples } from "@/server/testing/guard/examples";
import { policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";
import { closedSandbox } from "../effects/program-place";
import type { GuardContext } from "./guard-request";

const rule = policyOfRules([{ tool: "shell_execute", pattern: "^(?:docker|podman|psql|mysql|vagrant)(?: |$)" }]);
const decided = (command: string, context: Partial<GuardContext> = {}) => {
  const call = shellCall(command);
  return decide(rule, { ...call, context: { ...call.context, folder: "/workspace", sandboxed: true, ...context } });
};

describe("a rule for a program of the machine", () => {
  test.each(["docker ps", "docker logs --tail 5 web", "timeout 60 docker logs web", 'psql -c "select 1"'])("allows %s", (command) => {
    expect(decided(command)).toMatchObject({ verdict: "allow", runsOutside: {} });
  });

  test.each(examples`
    PATH=./bin:$PATH docker ps ¦ env PATH=./bin docker ps ¦ LD_PRELOAD=./e.so docker ps ¦ BASH_ENV=./e docker ps ¦ HOME=. docker ps
    DOCKER_HOST=tcp://evil.example docker ps ¦ DOCKER_CONFIG=. docker ps ¦ CONTAINER_HOST=tcp://evil.example podman ps
    LIBMYSQL_PLUGIN_DIR=. mysql shop ¦ docker -H tcp://evil.example ps ¦ docker -H unix://./evil.sock ps ¦ docker --config . ps
    docker --context evil ps ¦ podman --conmon=./evil ps ¦ podman --runtime ./evil ps ¦ podman unshare ./evil ¦ docker compose up -d
    docker compose -f evil.yml up ¦ docker build . ¦ vagrant status ¦ psql -f evil.sql ¦ psql shop < evil.sql ¦ psql -c '\! ./evil'
    mysql --defaults-file=./evil.cnf shop
  `)("asks about %s, where code or a program comes from elsewhere", (command) => {
    expect(decided(command)).toMatchObject({ verdict: "require_approval", runsOutside: {} });
  });

  test("is no weaker with the sandbox than without", () => {
    for (const command of ["PATH=./bin docker ps", "docker --config . ps", "docker -H tcp://evil.example ps", "podman unshare ./evil"]) {
      expect(decided(command, { sandboxed: false }).verdict, command).toBe("require_approval");
      expect(decided(command).verdict, command).toBe("require_approval");
    }
  });
});

describe("a command that needs the machine", () => {
  test.each(examples`
    docker ps | grep web | head -3 ¦ docker logs web 2>&1 | tail -5 ¦ docker ps --format json | jq .Names ¦ docker ps || true
    docker ps; echo $? ¦ cd app && docker ps ¦ docker save web | gzip > web.tgz ¦ docker run -u $(id -u) -v $(pwd):/app web
    sudo systemctl restart nginx
  `)("leaves alone: %s", (command) => expect(decided(command).split).toBeUndefined());

  test.each([
    ["docker ps; sh deploy.sh", ["docker ps"]],
    ["docker ps && ./x", ["docker ps"]],
    ["./x && docker ps", ["docker ps"]],
    ["docker ps | sh", ["docker ps"]],
    ["docker ps | tee out", ["docker ps"]],
    ["docker ps | ./head", ["docker ps"]],
    ["docker ps | awk '{system(\"sh x\")}'", ["docker ps"]],
    ["docker ps | sed 's/a/b/e'", ["docker ps"]],
    ["docker ps | sort --compress-program=./x", ["docker ps"]],
    ["cat x | docker load", ["docker load"]],
    ["docker build -t a:$(git rev-parse HEAD) .", ["docker build -t a:$(git rev-parse HEAD) ."]],
    ["docker ps <(sh x)", ["docker ps <(sh x)"]],
    ["docker ps & sh x", ["docker ps"]],
    ["export DOCKER_HOST=tcp://evil.example; docker ps", ["docker ps"]],
    ["set -a; : ${DOCKER_HOST:=tcp://evil.example}; docker ps", ["docker ps"]],
    ["docker() { echo; }; docker ps", ["docker ps"]],
    ["alias docker=./x; docker ps", ["docker ps"]],
    ["hash -p ./x docker; docker ps", ["docker ps"]],
    ["echo x > .git/hooks/pre-commit; docker ps", ["docker ps"]],
    ["sh -c 'docker ps; sh x'", ["sh -c 'docker ps; sh x'"]],
    ["eval docker ps", ["eval docker ps"]],
    ["find . -exec docker rm {} \\;", ["find . -exec docker rm {} \\;"]],
    ["python3 -c \"import os; os.system('docker ps')\"", ["python3 -c \"import os; os.system('docker ps')\""]],
    ["docker build -t a . && docker push a", ["docker build -t a .", "docker push a"]],
  ])("is never asked about together with other code: %s", (command, commands) => {
    expect(decided(command)).toMatchObject({ verdict: "deny", split: commands });
  });

  test("is answered with the commands to send, and in which call", () => {
    expect(decided("docker ps; sh deploy.sh").reason).toMatch(
      /^`docker ps` needs the machine.*send it alone.* Send the rest in another call, which runs in the sandbox: `sh deploy\.sh`\.$/,
    );
    expect(decided("docker build -t a . && docker push a").reason).toContain("one by one: `docker build -t a .`, then `docker push a`");
  });

  test("is split with the guard switched off, because the sandbox is still on", () => {
    const off = policyOfRules([], { enabled: false });
    const call = shellCall("docker ps; sh deploy.sh");
    expect(decide(off, { ...call, context: { ...call.context, sandboxed: true } }).split).toEqual(["docker ps"]);
  });
});

describe("the input of a process", () => {
  test("is judged as a call outside when the process runs there, even when it reads like a look around", () => {
    const place = { outside: true } as const;
    for (const command of ["sh a.sh", "ls", "select 1;"])
      expect(decided(command, { place }), command).toMatchObject({ verdict: "require_approval", runsOutside: {} });
  });

  test("asks nobody for what a process in the sandbox cannot do", () => {
    for (const command of ["docker ps", "sudo ls", "docker ps; sh a.sh", "curl https://api.example.com", "cat /var/log/app.log"]) {
      const decision = decided(command, { place: closedSandbox });
      expect(decision.verdict, command).toBe("allow");
      expect(decision.runsOutside).toBeUndefined();
    }
  });

  test("asks about what was opened for the process, and about sensitive files of the folder", () => {
    const place = { outside: false, hosts: ["api.example.com"], paths: ["/var/log"] } as const;
    for (const command of ["curl https://api.example.com", "cat /var/log/app.log", "cat .env"])
      expect(decided(command, { place }).verdict, command).toBe("require_approval");
  });
});

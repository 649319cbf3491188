import "server-only";
import { judgeMailError, sendMail } from "@/server/capabilities/network/mail-server";
import { toErrorMessage } from "@/server/platform/errors";
import { cardText, headlineOf } from "./approval-text";
import { findWorkspaceMailServer } from "./mail-settings";
import type { Outcome, Told } from "./told";

/** Sends one mail about all given approvals, which one person may decide. */
export async function sendDigest(told: readonly Told[]): Promise<Outcome> {
  const [first] = told;
  const waiting = told.flatMap(({ approval }) => approval ?? []);
  const [only] = waiting;
  if (!first || !only) return { status: "failed", error: "No approval waits." };
  const found = await findWorkspaceMailServer(first.row.workspaceId).catch((error: unknown) => ({ error: toErrorMessage(error) }));
  if ("error" in found) return { status: "failed", error: found.error };
  const { server, sender } = found;
  try {
    await sendMail(server, {
      from: sender,
      to: first.row.target,
      subject: waiting.length === 1 ? headlineOf(only) : `${waiting.length} approvals wait`,
      text: [...waiting.map(cardText), "The links lead to the cards. Nothing is decided before you decide it there."].join("\n\n"),
      // The same for each try, so that mail servers may recognise a repetition.
      messageId: `<${first.row.id}@${sender.split("@")[1] ?? "handrail"}>`,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return { status: "sent" };
  } catch (error) {
    const { failure, message } = judgeMailError(error, server.auth?.pass ?? "");
    if (failure === "unknown") return { status: "unknown", error: message };
    return failure === "refused" ? { status: "failed", error: message } : { status: "later", error: message, retryAfterMs: 30_000 };
  }
}

import "server-only";
import type { MailSettings, MailSettingsDraft, MailTest } from "@/contracts/notifications/mail-settings";
import type { Db } from "@/db/client";
import { mailSettings as mailTable } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import { judgeMailError, type MailServer, sendMail } from "@/server/capabilities/network/mail-server";
import { seal, unsealOrNull } from "@/server/platform/crypto";
import { storableText } from "@/server/platform/database/storable";
import { AppError } from "@/server/platform/errors";
import { defineSettings } from "@/server/resources/define-settings";
import { notificationsAllowPrivate } from "./environment";

type Row = typeof mailTable.$inferSelect;

const settings = defineSettings({
  table: mailTable,
  event: "mail_settings.updated",
  inAudit: ({ server, user, sender, passwordSealed }) => ({ server, user, sender, hasPassword: passwordSealed !== null }),
});

export const getMailSettings = async ({ workspaceId }: Authorized<"admin">): Promise<MailSettings> =>
  present(await settings.find(workspaceId));

/** @throws AppError `stale_version`; `invalid` for a password that would go to another server than it was typed for */
export async function updateMailSettings(
  actor: Authorized<"admin">,
  { password, ...draft }: MailSettingsDraft,
  version: number | null,
): Promise<MailSettings> {
  const saved = await settings.change(actor, version, (before) => {
    const isElsewhere = before.server !== draft.server || before.user !== draft.user;
    if (password === undefined && isElsewhere && before.passwordSealed !== null && draft.server !== "") {
      const message = "Type the password again, because it belongs to the server and user before.";
      throw new AppError("invalid", message, { errors: [{ path: "password", message }] });
    }
    const kept = draft.server === "" ? null : before.passwordSealed;
    return { set: { ...draft, passwordSealed: password === undefined ? kept : password ? seal(password) : null } };
  });
  return present(saved);
}

/** Sends a mail with the saved settings and says what the server answered. */
export async function testMailServer(actor: Authorized<"admin">, to: string): Promise<MailTest> {
  const found = await findWorkspaceMailServer(actor.workspaceId);
  if ("error" in found) return { to, error: found.error };
  const text = `${toActorRef(actor).name} has sent this test of Handrail's mail server. Approvers get mails from here.`;
  try {
    await sendMail(found.server, {
      from: found.sender,
      to,
      subject: "Test of Handrail",
      text,
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return { to, error: null };
  } catch (error) {
    return { to, error: storableText(judgeMailError(error, found.server.auth?.pass ?? "").message) };
  }
}

export type WorkspaceMailServer = { server: MailServer; sender: string };

/** Returns the mail server of a workspace, or why there is none. */
export async function findWorkspaceMailServer(workspaceId: string, tx?: Db): Promise<WorkspaceMailServer | { error: string }> {
  const row = await settings.find(workspaceId, tx);
  if (!row?.server) return { error: "The workspace has no mail server. An admin sets it up in Settings." };
  const pass = row.passwordSealed === null ? "" : unsealOrNull(row.passwordSealed);
  if (pass === null)
    return { error: "The mail server's password cannot be opened with this secret key. An admin types it again in Settings." };
  const auth = row.user === "" ? null : { user: row.user, pass };
  return { server: { server: row.server, auth, allowPrivate: notificationsAllowPrivate.value() }, sender: row.sender };
}

const present = (row: Row | undefined): MailSettings => ({
  server: row?.server ?? "",
  user: row?.user ?? "",
  hasPassword: row ? row.passwordSealed !== null : false,
  sender: row?.sender ?? "",
  version: row?.version ?? 0,
  updatedAt: row?.updatedAt.toISOString() ?? null,
});

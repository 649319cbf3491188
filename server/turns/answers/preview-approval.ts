import "server-only";
import { and, eq } from "drizzle-orm";
import type { ApprovalPreview } from "@/contracts/approvals/approvals";
import { agents, approvals, conversations, turns } from "@/db/schema";
import { type Authorized, toActorRef } from "@/server/auth/actor";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { withRowFiles } from "@/server/capabilities/files/row-files";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { contactFileFinder } from "@/server/contacts/files/contact-files";
import { workspaceFolder } from "@/server/conversations/workspace-folder";
import { db } from "@/server/platform/database/database";
import { AppError, isAppError } from "@/server/platform/errors";
import { textOfFile } from "@/server/platform/text-encoding/text-encoding";
import { maskInText } from "@/server/secrets/mask-secrets";
import { liveTool } from "@/server/tools/live-tools";
import type { FileChange } from "@/server/tools/tool-traits";

/** Maximum size of a file that is shown, because people do not read larger ones. */
const maxShownBytes = 262_144;
const nothing: ApprovalPreview = { file: null, reason: null };
const withReason = (reason: string): ApprovalPreview => ({ file: null, reason });

/** Returns the file that a pending call would change, as it is now and as it would be. Nothing is written, and secrets are masked. */
export async function previewApproval(actor: Authorized<"approvals:read">, approvalId: string): Promise<ApprovalPreview> {
  const [found] = await db()
    .select({ approval: approvals, folderOf: conversations.folderOf, sharedFolder: agents.sharedFolder, machine: turns.machine })
    .from(approvals)
    .innerJoin(turns, eq(turns.id, approvals.turnId))
    .innerJoin(conversations, eq(conversations.id, approvals.conversationId))
    .innerJoin(agents, eq(agents.id, conversations.agentId))
    .where(and(eq(approvals.workspaceId, actor.workspaceId), eq(approvals.id, approvalId)));
  if (!found) throw new AppError("not_found", "This approval does not exist. GET /api/v1/approvals lists them.");
  const { approval, folderOf, sharedFolder, machine } = found;
  if (approval.status !== "pending" || approval.toolSource !== "builtin") return nothing;

  // The file lies on the machine of the client, where nobody can look from here.
  if (machine) return nothing;

  const tool = liveTool(actor.workspaceId, { name: approval.toolName, sourceRef: null });
  const parsed = tool?.parse(approval.arguments);
  const change = parsed?.ok ? tool?.changesFile?.(parsed.value) : undefined;
  if (!change) return nothing;
  // The guard resolved links and names, so a file that it calls sensitive is shown to nobody, masked or not.
  const isSensitive = approval.decision.effects?.some(({ target }) => target.class === "sensitive") ?? true;
  if (isSensitive) return withReason("The file may hold secrets, so its text is not shown.");
  const { workspaceId } = actor;
  const folder = workspaceFolder({ id: approval.conversationId, workspaceId, folderOf }, { sharedFolder });
  const reader = { workspaceId, folder, isGroup: false, actor: toActorRef(actor), requestId: approval.id };
  return show(withRowFiles(workspaceFiles(folder), { find: contactFileFinder(reader) }), change);
}

async function show(files: FilesCapability, { path, after }: FileChange): Promise<ApprovalPreview> {
  let before: string | null = null;
  try {
    const bytes = await files.readBytes(path, { maxBytes: maxShownBytes });
    before = textOfFile(bytes);
    if (before === null) return withReason("The file is not text.");
  } catch (error) {
    if (!isAppError(error)) throw error;
    if (error.code === "too_large") return withReason("The file is too large to compare here.");
    if (error.code !== "not_found") return withReason("The file cannot be read from here.");
  }
  const made = after(before ?? "");
  if (made === null) return withReason("The text to replace does not occur in the file as it is now, so the call would fail.");
  if (made.length > maxShownBytes) return withReason("The file would be too large to compare here.");
  return { file: { path, before: before === null ? null : maskInText(before), after: maskInText(made) }, reason: null };
}

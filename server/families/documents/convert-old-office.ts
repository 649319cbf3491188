import "server-only";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { workspaceFiles } from "@/server/capabilities/files/workspace-files";
import { libreOffice } from "@/server/capabilities/libre-office";
import { workspaceShell } from "@/server/capabilities/shell/workspace-shell";
import { makeSemaphore } from "@/server/mcp/connect/limits/semaphore";
import { AppError } from "@/server/platform/errors";
import type { OldOfficeKind } from "@/server/platform/formats/compound-file";
import type { DocumentKind } from "@/server/platform/formats/document-kind";
import { processWide } from "@/server/platform/process-wide";
import { documentLimitWords } from "./run-document-program";

/** The first start writes a profile, so it takes longest. */
const maxMs = 90_000;
const maxConvertedBytes = 64 * 1_048_576;
const maxMessageBytes = 2_000;

export const newFormats = { doc: "docx", xls: "xlsx", ppt: "pptx" } as const satisfies Record<OldOfficeKind, DocumentKind>;

/** No macro runs, and nothing that the document links to is loaded. */
const profile = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
${[
  ["Scripting", "MacroSecurityLevel", "3"],
  ["Scripting", "DisableMacrosExecution", "true"],
  ["Scripting", "DisableActiveContent", "true"],
  ["Scripting", "BlockUntrustedRefererLinks", "true"],
]
  .map(
    ([group, name, value]) =>
      `<item oor:path="/org.openoffice.Office.Common/Security/${group}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`,
  )
  .join("\n")}
</oor:items>
`;

const places = () => processWide("oldOfficeConversions", () => ({ take: makeSemaphore(1, maxMs + 5_000) }));

/**
 * Converts a document of Office 97 to 2003 to the format of today, with LibreOffice in a sandbox of its own: an empty folder,
 * its own profile, no network.
 * @throws AppError `unavailable` without LibreOffice, `invalid` for a document that it does not open
 */
export async function convertOldOffice(
  given: string,
  bytes: Uint8Array,
  { format, signal }: { format: OldOfficeKind; signal: AbortSignal },
): Promise<Uint8Array> {
  const program = libreOffice();
  if (!program) {
    throw new AppError(
      "unavailable",
      `${given} has the old binary form of Office, and LibreOffice, which converts it, is not installed on this machine. Save it as .${newFormats[format]}, or ask an admin to install LibreOffice (soffice).`,
    );
  }
  return places().take(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "handrail-office-"));
    try {
      await mkdir(path.join(folder, "profile/user"), { recursive: true });
      await writeFile(path.join(folder, "profile/user/registrymodifications.xcu"), profile);
      await writeFile(path.join(folder, `document.${format}`), bytes);
      const words = [
        "exec",
        ...documentLimitWords(),
        program,
        '"-env:UserInstallation=file://$PWD/profile"',
        "--headless --norestore --nologo --nolockcheck --convert-to",
        newFormats[format],
        `--outdir converted document.${format}`,
      ];
      const { stdout, stderr, timedOut } = await workspaceShell(folder).run(words.join(" "), {
        timeoutMs: maxMs,
        maxBytesPerStream: maxMessageBytes,
        signal,
      });
      if (timedOut) throw new AppError("timed_out", `LibreOffice took longer than ${maxMs / 1_000} seconds to convert ${given}.`);
      return await workspaceFiles(folder)
        .readBytes(`converted/document.${newFormats[format]}`, { maxBytes: maxConvertedBytes })
        .catch((cause) => {
          const said = (stderr || stdout).trim().split("\n").at(-1)?.slice(0, 200);
          throw new AppError(
            "invalid",
            `LibreOffice cannot open ${given}: it is damaged, or has a password.${said ? ` It says: ${said}` : ""}`,
            { cause },
          );
        });
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  });
}

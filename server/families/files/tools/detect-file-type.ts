import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { PathArgument, pathAliases, readPathDescription } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { libreOffice } from "@/server/capabilities/libre-office";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { documentKind, type Recognised } from "@/server/platform/formats/document-kind";
import { defineTool } from "@/server/tools/define-tool";
import { commandTool, documentTool } from "@/server/tools/results/helping-tools";
import { detectFileType as detect, type FileCategory, type FileType, typeSampleBytes } from "./media-type";

export const detectFileType = defineTool({
  name: "detect_file_type",
  title: "Detect a file's type",
  description:
    "Says what a workspace file is by its content: media type, category, encoding, size, and the tool that reads it. The ending of the name is not trusted.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: { aliases: ["DetectFileTypeTool", "file_type", "mime_type"], parameterAliases: { ...pathAliases } },
  primaryArgument: "path",
  input: z.object({ path: PathArgument.describe(readPathDescription) }),
  approval: { effects: ({ path }) => [reads("/path", path)] },
  async execute({ path }, { files, signal }) {
    const { kind, bytes, name } = await withSimilarPaths(path, { files, signal }, () => files.stat(path));
    if (kind === "folder") throw new AppError("invalid", `${path} is a folder. Name a file in it.`);
    const { found, document } = await typeOfFile(path, name, files);
    return {
      path,
      mediaType: found.mediaType,
      category: found.category,
      encoding: found.encoding,
      bytes,
      ...adviceFor(found, document),
    };
  },
});

/** Categories of files that the document tool may read. */
const documents: ReadonlySet<FileCategory> = new Set(["pdf", "office", "old_office", "mail", "image"]);
/** Only the whole of a compound file tells what it holds. */
const maxCompoundBytes = 64 * 1_048_576;

/** Detects the type of a file from its beginning, and what the document tool takes it for. */
async function typeOfFile(path: string, name: string, files: FilesCapability): Promise<{ found: FileType; document: Recognised | null }> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of files.readChunks(path)) {
    parts.push(chunk);
    length += chunk.byteLength;
    if (length > typeSampleBytes) break;
  }
  const beginning = Buffer.concat(parts);
  const found = await detect(name, beginning.subarray(0, typeSampleBytes), beginning.byteLength <= typeSampleBytes);
  if (!documents.has(found.category)) return { found, document: null };
  const isCompound = found.category === "old_office" || found.mediaType === "application/vnd.ms-outlook";
  const { bytes } = isCompound ? await files.stat(path) : { bytes: 0 };
  const whole = isCompound && bytes <= maxCompoundBytes ? await files.readBytes(path) : beginning;
  const document = await documentKind(name, whole);
  const category = document.kind === "msg" ? "mail" : isCompound && document.kind === "unknown" ? "binary" : found.category;
  return { found: { ...found, mediaType: isCompound ? document.mediaType : found.mediaType, category }, document };
}

/** Pictures that read_file shows. */
const shownImages: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

type Advice = { suggestedTool: string | null; guidance: string };

/** Names the tool that reads a file of this type, if one does, and says how to go on. */
function adviceFor(found: FileType, document: Recognised | null): Advice {
  const { category, mediaType } = found;
  const command = commandTool.text() || null;
  if (category === "empty") return { suggestedTool: null, guidance: "The file is empty." };
  if (category === "notebook") return { suggestedTool: "notebook_read", guidance: "notebook_read shows its cells." };
  if (category === "text") return { suggestedTool: "read_file", guidance: textGuidance(found) };
  if (category === "image" && shownImages.has(mediaType)) return { suggestedTool: "read_file", guidance: "read_file shows it." };
  if (document) return documentAdvice(document, category, command);
  if (category === "archive") return { suggestedTool: command, guidance: "List or unpack it with a command." };
  return { suggestedTool: command, guidance: "Look at it with a command that understands it." };
}

function documentAdvice(document: Recognised, category: FileCategory, command: string | null): Advice {
  const reader = documentTool.text() || command;
  switch (document.kind) {
    case "encrypted":
      return { suggestedTool: null, guidance: "It opens only with a password. Ask for a copy without one, or for its text." };
    case "old":
      if (!libreOffice()) {
        return {
          suggestedTool: null,
          guidance: `It has the old binary form of Office, which needs LibreOffice, and this machine has none. Ask for it as .${document.format}x, or an admin to install LibreOffice.`,
        };
      }
      return { suggestedTool: reader, guidance: "Its text must be extracted before it can be read. LibreOffice converts it first." };
    case "unknown":
      return category === "image"
        ? { suggestedTool: command, guidance: "Convert it to PNG first; then read_file shows it." }
        : { suggestedTool: command, guidance: "Look at it with a command that understands it." };
    case "image":
    case "tiff":
      return { suggestedTool: reader, guidance: "Its text can be recognised; to see it, convert it to PNG first." };
    case "eml":
    case "msg":
      return { suggestedTool: reader, guidance: "Its headers, text and attachments must be extracted before they can be read." };
    default:
      return { suggestedTool: reader, guidance: "Its text must be extracted before it can be read." };
  }
}

function textGuidance({ encoding }: FileType): string {
  return encoding === null || /^(?:ascii|utf-8)/.test(encoding)
    ? "It is text: read_file shows its lines."
    : `It is text: read_file shows its lines, decoded from ${encoding}. Another encoding can be set there.`;
}

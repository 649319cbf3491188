import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files";
import { PathArgument, pathAliases } from "@/server/capabilities/path-argument";
import { withSimilarPaths } from "@/server/capabilities/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { promptHint } from "@/server/platform/prompt-hints";
import { defineTool } from "@/server/tools/define-tool";
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
  aliases: ["DetectFileTypeTool", "file_type", "mime_type"],
  parameterAliases: { ...pathAliases },
  primaryArgument: "path",
  input: z.object({ path: PathArgument.describe("Relative to the workspace") }),
  effects: ({ path }) => [reads("/path", path)],
  async execute({ path }, { files, signal }) {
    const { kind, bytes } = await withSimilarPaths(path, { files, signal }, () => files.stat(path));
    if (kind === "folder") throw new AppError("invalid", `${path} is a folder. Name a file in it.`);
    const found = await typeOfFile(path, files);
    return {
      path,
      mediaType: found.mediaType,
      category: found.category,
      encoding: found.encoding,
      bytes,
      suggestedTool: suggestedTool(found),
      guidance: guidance(found),
    };
  },
});

/** Detects the type of a workspace file from its beginning. */
async function typeOfFile(path: string, files: FilesCapability): Promise<FileType> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of files.readChunks(path)) {
    parts.push(chunk);
    length += chunk.byteLength;
    if (length > typeSampleBytes) break;
  }
  const beginning = Buffer.concat(parts);
  return detect(path, beginning.subarray(0, typeSampleBytes), beginning.byteLength <= typeSampleBytes);
}

const readers: Partial<Record<FileCategory, string>> = { text: "read_file", image: "read_file", notebook: "notebook_read" };

/** Pictures that read_file shows. */
const shownImages: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Further pictures whose text can be recognised. */
const recognisedImages: ReadonlySet<string> = new Set(["image/bmp"]);

/** Returns the tool that reads a file of this type; null when no tool does. */
function suggestedTool({ category, mediaType }: FileType): string | null {
  if (category === "image" && !shownImages.has(mediaType)) {
    return (recognisedImages.has(mediaType) && promptHint("document_tool")) || promptHint("command_tool") || null;
  }
  if (category === "pdf" || category === "office" || category === "mail")
    return promptHint("document_tool") || promptHint("command_tool") || null;
  return readers[category] ?? (category === "empty" ? null : promptHint("command_tool") || null);
}

function guidance({ category, encoding, mediaType }: FileType): string {
  if (category === "text" && encoding !== null && !/^(?:ascii|utf-8)/.test(encoding)) {
    return `It is text: read_file shows its lines, decoded from ${encoding}. Another encoding can be set there.`;
  }
  switch (category) {
    case "empty":
      return "The file is empty.";
    case "text":
      return "It is text: read_file shows its lines.";
    case "notebook":
      return "notebook_read shows its cells.";
    case "image":
      if (shownImages.has(mediaType)) return "read_file shows it.";
      return recognisedImages.has(mediaType)
        ? "Its text can be recognised; to see it, convert it to PNG first."
        : "Convert it to PNG first; then read_file shows it.";
    case "mail":
      return "Its headers, text and attachments must be extracted before they can be read.";
    case "old_office":
      return "It has the old binary form of Office. Convert it first where LibreOffice is installed: soffice --headless --convert-to docx (xlsx, pptx).";
    case "pdf":
    case "office":
      return "Its text must be extracted before it can be read.";
    case "archive":
      return "List or unpack it with a command.";
    default:
      return "Look at it with a command that understands it.";
  }
}

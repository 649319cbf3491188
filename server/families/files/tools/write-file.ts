import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { ChangedPathArgument, pathAliases } from "@/server/capabilities/files/path-argument";
import { writes } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { defineTool } from "@/server/tools/define-tool";
import { encodedLike, fileText, rowNote, writtenAs } from "./file-text";
import { maxCheckedBytes, syntaxNote } from "./syntax-note";

export const maxContentBytes = 524_288;
/** Larger files are taken for UTF-8 where something is appended. */
const maxDecodedBytes = 32 * 1_048_576;

export const writeFile = defineTool({
  name: "write_file",
  title: "Write a file",
  description:
    "Writes text to a file of the workspace, replacing what was there (mode overwrite) or adding to its end (mode append). Missing folders are made. At most 512 KiB a call.",
  family: "files",
  tier: "core",
  effect: "write",
  needs: [files],
  names: {
    aliases: ["WriteFileTool", "write", "create_file", "save_file"],
    parameterAliases: { ...pathAliases, text: "content", contents: "content" },
  },
  primaryArgument: "path",
  approval: {
    everydayAction: "write",
    dangerous: true,
    effects: ({ path }) => [writes("/path", path)],
    changesFile: ({ path, content, mode }) => ({ path, after: (before) => (mode === "append" ? before + content : content) }),
  },
  input: z.object({
    path: ChangedPathArgument.refine((path) => !path.endsWith("/"), "names a folder: send the path of a file in it").describe(
      "Relative to the workspace",
    ),
    content: z.string().describe("The text; UTF-8, appended as the file is encoded"),
    mode: z.enum(["overwrite", "append"]).default("overwrite").describe("Replace the file, or add to its end"),
  }),
  async execute({ path, content, mode }, { files }) {
    const bytes = Buffer.from(content, "utf8");
    if (bytes.byteLength > maxContentBytes) {
      throw new AppError(
        "too_large",
        `content too large (${bytes.byteLength} bytes > ${maxContentBytes} max). Write the first part, then the others with mode "append".`,
      );
    }
    const added = mode === "append" ? await asInFile(path, content, files) : { bytes, note: "" };
    const written = await files.writeBytes(path, added.bytes, { append: mode === "append" });
    const { created, bytesWritten } = written;
    const size = `${bytesWritten.toLocaleString("en")} ${bytesWritten === 1 ? "byte" : "bytes"}`;
    if (mode === "append" && !created)
      return `Added ${size} to the end of ${path}.${rowNote(written)}${added.note}${await noteOf(path, files)}`;
    return `${created ? "Created" : "Replaced"} ${path} with ${size}.${rowNote(written)}${await syntaxNote(path, content)}`;
  },
});

/** Encodes what is appended as the file is encoded. A file that does not exist yet is UTF-8. */
async function asInFile(path: string, content: string, files: FilesCapability): Promise<{ bytes: Uint8Array; note: string }> {
  const stat = await files.stat(path).catch((error) => {
    if (isAppError(error) && error.code === "not_found") return null;
    throw error;
  });
  if (stat?.kind !== "file" || stat.bytes > maxDecodedBytes) return { bytes: Buffer.from(content), note: "" };
  const { bytes, encoding } = encodedLike(path, await files.readBytes(path), content);
  return { bytes, note: writtenAs(encoding) };
}

/** Checks the whole file after an append, because its end alone has no syntax. */
async function noteOf(path: string, files: FilesCapability): Promise<string> {
  const { bytes } = await files.stat(path);
  return bytes > maxCheckedBytes ? "" : syntaxNote(path, fileText(path, await files.readBytes(path)).bytes);
}

import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import { PathArgument, readPathDescription } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError, isAppError } from "@/server/platform/errors";
import { defineTool, toolResult } from "@/server/tools/define-tool";
import { detectFileType, typeSampleBytes } from "./media-type";

const maxSentBytes = 20 * 1_048_576;

export const sendFile = defineTool({
  name: "send_file",
  title: "Send a file",
  description:
    "Hands a workspace file of any type to the user, as an artifact of this call. At most 20 MiB. name is the file's name for the user; the file itself keeps its name.",
  family: "files",
  tier: "extension",
  effect: "read",
  needs: [files],
  names: {
    aliases: ["SendFileTool", "send_document", "deliver_file"],
    parameterAliases: { filePath: "path", file_path: "path", file: "path", fileName: "name", file_name: "name", filename: "name" },
  },
  primaryArgument: "path",
  input: z.object({
    path: PathArgument.describe(readPathDescription),
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^/\\\p{Cc}\p{Cf}]+$/u, "must be a plain file name, without slashes and control characters")
      .refine((name) => name !== "." && name !== "..", "must be a file name")
      .optional()
      .describe("The file's name for the user"),
  }),
  approval: { effects: ({ path }) => [reads("/path", path)] },
  async execute({ path, name: asked }, { files, signal }) {
    const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: maxSentBytes })).catch(
      (error) => {
        if (!isAppError(error) || error.code !== "too_large") throw error;
        throw new AppError("too_large", `${path} has more than 20 MiB. Compress it, or send a part of it.`, { cause: error });
      },
    );
    if (bytes.byteLength === 0) throw new AppError("invalid", `${path} is empty, so there is nothing to send. Write it first.`);
    const { name: own } = await files.stat(path);
    const name = asked ?? own;
    const { mediaType } = await detectFileType(own, bytes.subarray(0, typeSampleBytes), bytes.byteLength <= typeSampleBytes);
    return toolResult({
      text: `Sent ${name} (${mediaType}, ${bytes.byteLength.toLocaleString("en")} bytes).`,
      files: [{ name, mediaType, bytes }],
    });
  },
});

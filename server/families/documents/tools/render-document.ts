import { posix } from "node:path";
import { z } from "zod";
import { files } from "@/server/capabilities/call-capabilities";
import type { FilesCapability } from "@/server/capabilities/files/files";
import { PathArgument } from "@/server/capabilities/files/path-argument";
import { withSimilarPaths } from "@/server/capabilities/files/similar-paths";
import { reads } from "@/server/guard/effects/declare-effects";
import { AppError } from "@/server/platform/errors";
import { textOfFile } from "@/server/platform/text-encoding/text-encoding";
import { type AnyTool, defineTool, toolResult } from "@/server/tools/define-tool";
import type { AspectRatio, PageSize, RenderFormat } from "../program/document-task";
import { renderApart } from "../run-document-program";
import { collectImages, imagePaths, withWorkspacePaths } from "./collect-images";
import { renderDocumentation } from "./render.documentation";

const maxMarkdownChars = 2_000_000;
const maxDocumentBytes = 50 * 1_048_576;
const maxPaths = 50;

const mediaTypes: Record<RenderFormat, string> = {
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  pdf: "application/pdf",
};

const shared = {
  markdown: z.string().min(1).max(maxMarkdownChars).optional().describe("The text; leave it out with path"),
  path: z
    .union([PathArgument, z.array(PathArgument).min(1).max(maxPaths)])
    .optional()
    .describe("Markdown file or files of the workspace, joined in order; better than markdown above 5 KB"),
  filename: z
    .string()
    .trim()
    .min(1)
    .max(150)
    .regex(/^[^/\\\p{Cc}\p{Cf}]+$/u, "must be a plain file name, without slashes and control characters")
    .optional()
    .describe("Name for the user; the ending is added"),
};

/** Parameter of the formats with pages. */
export const contentsOption = z
  .union([z.boolean(), z.string().trim().min(1).max(60)])
  .default(false)
  .describe("Page with the headings and their pages; a text is its title");

type Spec = {
  name: string;
  format: RenderFormat;
  title: string;
  description: string;
  /** Parameters of this format only. */
  options: Record<string, z.ZodType>;
};

type Arguments = {
  markdown?: string;
  path?: string | string[];
  filename?: string;
  pageSize?: PageSize;
  aspectRatio?: AspectRatio;
  cover?: boolean;
  contents?: boolean | string;
};

/** Defines the tool that renders Markdown in one format. Names of other systems for "from file" are the same tool. */
export function defineRenderTool({ name, format, title, description, options }: Spec): AnyTool {
  return defineTool({
    name,
    title,
    description,
    disclosure: { documentation: renderDocumentation(format) },
    family: "documents",
    tier: "extension",
    effect: "read",
    needs: [files],
    names: {
      aliases: [`${name}_from_file`, `${name}_from_files`],
      parameterAliases: {
        content: "markdown",
        text: "markdown",
        filePath: "path",
        file_path: "path",
        filePaths: "path",
        file_paths: "path",
        paths: "path",
        fileName: "filename",
        file_name: "filename",
        name: "filename",
        page_size: "pageSize",
        aspect_ratio: "aspectRatio",
        toc: "contents",
        tableOfContents: "contents",
        table_of_contents: "contents",
      },
    },
    primaryArgument: "path",
    running: { backgroundable: true },
    timeoutMs: 120_000,
    input: z.object({ ...shared, ...options }).superRefine((given, context) => {
      const { markdown, path } = given as Arguments;
      if ((markdown === undefined) === (path === undefined)) {
        context.addIssue({ code: "custom", message: "send either markdown or path", path: ["markdown"] });
      }
    }),
    approval: {
      effects: (given) => {
        const { markdown, path } = given as Arguments;
        const images = markdown === undefined ? [] : imagePaths(markdown);
        return [...pathsOf(path).map((file) => reads("/path", file)), ...images.map((file) => reads("/markdown", file))];
      },
    },
    async execute(given, { files, signal, progress }) {
      const { markdown: text, path, filename, pageSize = "A4", aspectRatio = "16:9", cover = false, contents = false } = given as Arguments;
      const markdown = text ?? (await readFiles(pathsOf(path), { files, signal }));
      const { images, notes } = await collectImages(markdown, { files, signal });
      const task = { work: "render" as const, format, markdown, images, pageSize, aspectRatio, cover, contents };
      const rendered = await renderApart(task, { signal, progress });
      if (rendered.bytes.byteLength > maxDocumentBytes) {
        throw new AppError("too_large", "The document has more than 50 MiB. Use fewer or smaller images.");
      }
      const [first] = pathsOf(path);
      const file = `${baseName(filename ?? (first === undefined ? "document" : (await files.stat(first)).name), format)}.${format}`;
      const size = `${rendered.extent}, ${rendered.bytes.byteLength.toLocaleString("en")} bytes`;
      return toolResult({
        text: [`Rendered ${file} (${size}) as an artifact of this call, which the user can download.`, ...notes, ...rendered.notes].join(
          "\n",
        ),
        files: [{ name: file, mediaType: mediaTypes[format], bytes: rendered.bytes }],
      });
    },
  });
}

const pathsOf = (path: string | string[] | undefined): string[] => (path === undefined ? [] : [path].flat());

async function readFiles(paths: readonly string[], { files, signal }: { files: FilesCapability; signal: AbortSignal }): Promise<string> {
  const texts: string[] = [];
  let chars = 0;
  for (const path of paths) {
    const bytes = await withSimilarPaths(path, { files, signal }, () => files.readBytes(path, { maxBytes: 4 * maxMarkdownChars }));
    const text = textOfFile(bytes)?.replace(/^\uFEFF/, "");
    if (text === undefined) throw new AppError("invalid", `${path} is not text. Name a Markdown file.`);
    chars += text.length;
    if (chars > maxMarkdownChars) throw new AppError("too_large", "The files have more than 2,000,000 characters. Render them in parts.");
    texts.push(withWorkspacePaths(text, posix.dirname(path)));
  }
  return texts.join("\n\n");
}

/** Makes the file's name without an ending of text or of the format. */
function baseName(given: string, format: RenderFormat): string {
  const base = posix
    .basename(given)
    .replace(new RegExp(`\\.(?:md|markdown|txt|${format})$`, "i"), "")
    .trim();
  return base === "" || base === "." || base === ".." ? "document" : base;
}

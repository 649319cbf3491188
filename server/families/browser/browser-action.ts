import { z } from "zod";
import { PathArgument } from "@/server/capabilities/files/path-argument";
import { urlFault } from "@/server/capabilities/network/guarded-http";

export const actionNames = [
  "start",
  "stop",
  "open",
  "snapshot",
  "extract",
  "screenshot",
  "current_surface",
  "wait_for",
  "click",
  "type",
  "select",
  "upload",
  "press",
  "hover",
  "scroll",
  "eval",
  "navigate_back",
  "switch_tab",
  "diagnose",
] as const;
export type ActionName = (typeof actionNames)[number];

/** Other names of actions, as models know them from other browsers. */
const aliases = new Map<string, ActionName>([
  ["close", "stop"],
  ["goto", "open"],
  ["navigate", "open"],
  ["back", "navigate_back"],
  ["go_back", "navigate_back"],
  ["fill", "type"],
  ["evaluate", "eval"],
  ["press_key", "press"],
  ["select_option", "select"],
  ["upload_file", "upload"],
  ["file_upload", "upload"],
  ["set_input_files", "upload"],
]);

/** Actions that may change something at the page's host. */
const acting: ReadonlySet<ActionName> = new Set(["click", "type", "select", "upload", "press", "eval"]);
export const isActing = (action: ActionName): boolean => acting.has(action);

const maxTimeoutSeconds = 30;
const maxUploads = 20;
const maxPages = 20;
const refPattern = /^@?((?:f\d{1,4})?e\d{1,6})$/;

const known = `Supported: ${actionNames.join(", ")}.`;
const actionName = z
  .string()
  .transform((name) => aliases.get(name.trim().toLowerCase()) ?? name.trim().toLowerCase())
  .pipe(z.enum(actionNames, { error: ({ input }) => `Unknown action: ${String(input).slice(0, 50)}. ${known}` }));

type Fields = { ref?: string | undefined; selector?: string | undefined };
const target = (action: ActionName) => (fields: Fields) =>
  fields.ref === undefined && fields.selector === undefined
    ? { path: "ref", message: `${action} needs \`ref\` from a snapshot (@e5), or \`selector\`` }
    : null;

/** One action of a browser, with the arguments that it needs. */
export const BrowserAction = z
  .object({
    action: actionName.describe(actionNames.join(", ")),
    url: z.string().optional().describe("open: http or https address; wait_for: a part of the address to wait for"),
    ref: z
      .string()
      .regex(refPattern, "it must be a reference from the last snapshot, such as @e5")
      .transform((ref) => refPattern.exec(ref)?.[1] ?? ref)
      .optional()
      .describe("Element of the last snapshot, such as @e5"),
    selector: z.string().min(1).max(1_000).optional().describe("CSS selector or text=… instead of ref"),
    text: z.string().max(50_000).optional().describe("type: the text, which replaces the field's; wait_for: text to wait for"),
    submit: z.boolean().default(false).describe("type: press Enter afterwards"),
    path: z
      .union([PathArgument, z.array(PathArgument).min(1).max(maxUploads)])
      .optional()
      .describe("upload: workspace file for the file field, or a list of files for a field that takes several; at most 20 MiB"),
    direction: z
      .enum(["down", "up", "end", "top"])
      .optional()
      .describe("scroll: default down; with ref, the list around that element; ref alone brings the element into view"),
    pages: z.number().positive().max(maxPages).default(1).describe("scroll: screens to go down or up"),
    value: z.string().max(1_000).optional().describe("select: value or label of the option"),
    key: z.string().min(1).max(50).optional().describe("press: Enter, Escape, Control+A"),
    condition: z
      .enum(["visible", "hidden", "load", "network_idle"])
      .default("visible")
      .describe("wait_for: state of the text or element, or of the page"),
    code: z.string().min(1).max(50_000).optional().describe("eval: an expression or a function, run in the page"),
    pageUrl: z
      .string()
      .optional()
      .describe(
        "click, type, select, upload, press, eval: address of the open page; its host is what rules allow, and another host is refused",
      ),
    dialog: z.enum(["accept", "dismiss"]).default("dismiss").describe("Answer to dialogs that the action opens"),
    promptText: z.string().max(5_000).optional().describe("Answer to a prompt dialog"),
    tab: z.int().min(1).max(50).optional().describe("switch_tab: number of the tab"),
    fullPage: z.boolean().default(false).describe("screenshot: the whole page"),
    offset: z.int().min(0).default(0).describe("snapshot, extract, eval: character to go on from"),
    timeoutSeconds: z
      .number()
      .positive()
      .default(10)
      .transform((seconds) => Math.min(seconds, maxTimeoutSeconds))
      .describe(`Default 10, at most ${maxTimeoutSeconds}`),
  })
  .superRefine((fields, context) => {
    const fault = faultOf(fields);
    if (fault) context.addIssue({ code: "custom", path: [fault.path], message: fault.message });
  });
export type BrowserAction = z.output<typeof BrowserAction>;

/** The file of an upload, read by the tool, because only the tool knows the conversation's folder. */
export type UploadFile = { name: string; mediaType: string; bytes: Uint8Array };

/** An action with its limits. */
export type ActionRun = BrowserAction & { signal: AbortSignal; timeout: number; uploads: readonly UploadFile[] };

/** Returns the files that an action uploads. */
export const uploadPaths = ({ action, path }: Pick<BrowserAction, "action" | "path">): string[] =>
  action === "upload" && path !== undefined ? [path].flat() : [];

type Fault = { path: string; message: string };
type Checked = Fields &
  Pick<BrowserAction, "action" | "url" | "text" | "value" | "path" | "key" | "condition" | "code" | "pageUrl" | "tab">;

/** Returns the argument that an action misses, so that nobody is asked about an action that cannot be done. */
function faultOf(fields: Checked): Fault | null {
  const { action, url, pageUrl } = fields;
  const missing = (path: keyof Checked, hint: string): Fault | null =>
    fields[path] === undefined ? { path, message: `${action} needs \`${path}\`: ${hint}` } : null;
  if (pageUrl !== undefined) {
    const fault = urlFault(pageUrl);
    if (fault) return { path: "pageUrl", message: fault };
  }
  switch (action) {
    case "open": {
      const fault = url === undefined ? null : urlFault(url);
      return fault ? { path: "url", message: fault } : missing("url", "an address such as https://example.com");
    }
    case "click":
    case "hover":
      return target(action)(fields);
    case "type":
      return target(action)(fields) ?? missing("text", "what to type");
    case "select":
      return target(action)(fields) ?? missing("value", "value or label of the option");
    case "upload":
      return target(action)(fields) ?? missing("path", "a file of the workspace");
    case "press":
      return missing("key", "a key such as Enter");
    case "eval":
      return missing("code", "an expression");
    case "switch_tab":
      return missing("tab", "a number that current_surface lists");
    case "wait_for": {
      const isOfPage = fields.condition === "load" || fields.condition === "network_idle";
      const names = [fields.ref, fields.selector, fields.text, url];
      if (isOfPage || names.some((name) => name !== undefined)) return null;
      return { path: "text", message: "wait_for needs `text`, `ref`, `selector`, `url`, or condition load or network_idle" };
    }
    default:
      return null;
  }
}

import { z } from "zod";
import { toolEffects } from "./tools";

/** The confinement of a client's programs on its own machine: nothing, a sandbox of the client, or a container. */
export const machineBoxes = ["none", "agent", "container"] as const;

/** Longest path that a client may send, as Linux has it. */
const maxPathChars = 4_096;
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** An absolute path of a machine, without `.` and `..`, and without characters that nobody sees. */
export const MachinePath = z
  .string()
  .min(1)
  .max(maxPathChars)
  .refine((path) => path.startsWith("/"), "must be an absolute path")
  .refine((path) => !hidden.test(path), "must not hold control characters or characters that are not shown")
  .refine((path) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(path), "must not hold . or .. as a name")
  .meta({ examples: ["/home/ada/shop"] })
  .transform((path) => path.replace(/(.)\/+$/, "$1").replaceAll(/\/{2,}/g, "/"));

/** A path in the arguments of a tool that only the client has, and what the tool does to it. */
export const ToolPath = z.object({
  argument: z.string().describe("JSON pointer of the argument that holds the path, or a list of paths."),
  kind: z
    .enum(["read", "list", "write", "delete", "search", "pattern", "not_known"])
    .describe(
      "`search`: everything below the path is read. `pattern`: a pattern for files below `base`. `not_known`: a text that changes files in a way that cannot be read.",
    ),
  base: z
    .string()
    .optional()
    .describe("JSON pointer of the argument that holds the folder in which a pattern starts; else the working folder."),
});
export type ToolPath = z.infer<typeof ToolPath>;

/** The machine on which a client runs a call, and what is known of the client's own tool. */
export const CallMachine = z.object({
  client: z.string(),
  repository: z.string().nullable().optional().describe("The project's remote repository; null when there is none, absent when unknown."),
  host: z.string().optional(),
  user: z.string().optional(),
  policy: z.string().optional().describe("SHA-256 of the project's `.handrail.yaml`."),
  folder: z.string().describe("Absolute path of the project in which the client works."),
  home: z.string().describe("Absolute path of the home folder."),
  box: z.enum(machineBoxes),
  links: z
    .array(z.object({ path: z.string(), real: z.string() }))
    .optional()
    .describe("Links of the call, and the files behind them."),
  approvalSeconds: z.number().int().optional().describe("Time that people have for an answer; the workspace's own when it is shorter."),
  tool: z
    .object({ effect: z.enum(toolEffects).optional(), paths: z.array(ToolPath).optional() })
    .optional()
    .describe("What a tool does that only the client has."),
});
export type CallMachine = z.infer<typeof CallMachine>;

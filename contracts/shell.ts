import { z } from "zod";
import { Timestamp } from "./common";
import { defineContract } from "./define-contract";
import { endpoint } from "./endpoint";

/** `lost`: the server ended without seeing how the process ended. */
export const processStatuses = ["running", "exited", "killed", "lost"] as const;

/** The place in which the programs of a call run, when it is settled before the call. */
export type ProgramPlace =
  | { outside: true }
  /** The openings of the sandbox that the programs are in; nothing more can be opened for them. */
  | { outside: false; hosts: readonly string[]; paths: readonly string[] };

export const codeLanguages = ["shell", "python", "node"] as const;

const CodeLanguages = z.array(z.enum(codeLanguages)).min(1).max(codeLanguages.length);
const CommandPrefix = z
  .string()
  .trim()
  .max(200)
  .regex(/^[\w./-]*(?: [\w./=-]+)*$/, "holds words of letters, digits and . / _ - = only");
const VariableName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, "is no name of a variable")
  .max(100);

export const ShellSettings = z
  .object({
    codeLanguages: CodeLanguages.describe("Languages in which code may run."),
    commandPrefix: CommandPrefix.describe(
      "Words before the whole command line, such as `nice -n 5`, so of several commands on it only the first gets them; empty for none.",
    ),
    variables: z.array(VariableName).describe("Names of the variables that every command gets; their values are never shown."),
    version: z.number().int(),
    updatedAt: Timestamp.nullable().describe("`null`: nobody has changed the defaults."),
  })
  .meta({ id: "ShellSettings" });
export type ShellSettings = z.infer<typeof ShellSettings>;

export const ShellSettingsPatch = z
  .strictObject({
    codeLanguages: CodeLanguages.optional(),
    commandPrefix: CommandPrefix.optional(),
    variables: z
      .record(VariableName, z.string().max(10_000).nullable())
      .refine((variables) => Object.keys(variables).length <= 50, "holds at most 50 variables")
      .optional()
      .describe("Values to set; `null` removes a variable. Variables that are not named stay."),
  })
  .meta({ examples: [{ codeLanguages: ["shell", "python"], variables: { NPM_CONFIG_LOGLEVEL: "error" } }] });
export type ShellSettingsPatch = z.infer<typeof ShellSettingsPatch>;

export const shellSettingsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/shell-settings",
    summary: "Languages, prefix and variables of commands",
    permission: "tools:read",
    response: ShellSettings,
  }),
  update: endpoint({
    method: "PATCH",
    path: "/api/v1/shell-settings",
    summary: "Change the members that are sent",
    headers: ["If-Match"],
    permission: "admin",
    body: ShellSettingsPatch,
    response: ShellSettings,
  }),
};

export const shellSettingsContract = defineContract({
  reference: { name: "Shell settings", description: "How commands run: the languages of code, a prefix and variables." },
  endpoints: shellSettingsEndpoints,
  audit: {
    "shell_settings.updated": "Shell settings updated",
  },
});

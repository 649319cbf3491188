import { z } from "zod";
import { Id, Timestamp } from "../common";
import { defineContract } from "../define-contract";
import { endpoint } from "../endpoint";

/** `lost`: the server ended without seeing how the process ended. */
export const processStatuses = ["running", "exited", "killed", "lost"] as const;

/** The place in which the programs of a call run, when it is settled before the call. */
export type ProgramPlace =
  | { outside: true }
  /** The openings of the sandbox that the programs are in; nothing more can be opened for them. */
  | { outside: false; hosts: readonly string[]; paths: readonly string[] };

export const codeLanguages = ["shell", "python", "node"] as const;

function isRegistryAddress(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" && url.search === "" && url.hash === ""
  );
}

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

const PackageRegistry = z.strictObject({
  url: z
    .string()
    .trim()
    .max(300)
    .refine(isRegistryAddress, "must be an address such as https://packages.example.com/npm/, without a user name or a query")
    .describe("Base address of an npm registry; address of the `simple` index of a Python registry."),
  authProfileId: Id.nullable().default(null).describe("Auth profile of the same origin; `null` for a registry that asks for none."),
});

export const PackageRegistries = z
  .object({
    npm: PackageRegistry.nullable().describe("In place of registry.npmjs.org."),
    pypi: PackageRegistry.nullable().describe("In place of pypi.org."),
  })
  .meta({ id: "PackageRegistries" });
export type PackageRegistries = z.infer<typeof PackageRegistries>;

export const ShellSettings = z
  .object({
    codeLanguages: CodeLanguages.describe("Languages in which code may run."),
    commandPrefix: CommandPrefix.describe(
      "Words before the whole command line, such as `nice -n 5`, so of several commands on it only the first gets them; empty for none.",
    ),
    variables: z.array(VariableName).describe("Names of the variables that every command gets; their values are never shown."),
    registries: PackageRegistries.describe(
      "Registries of packages that programs in the sandbox reach in place of the public ones. Handrail adds the credential outside of the sandbox.",
    ),
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
    registries: z
      .strictObject({ npm: PackageRegistry.nullable().optional(), pypi: PackageRegistry.nullable().optional() })
      .optional()
      .describe("`null` goes back to the public registry. A registry that is not named stays."),
  })
  .meta({ examples: [{ codeLanguages: ["shell", "python"], variables: { NPM_CONFIG_LOGLEVEL: "error" } }] });
export type ShellSettingsPatch = z.infer<typeof ShellSettingsPatch>;

export const shellSettingsEndpoints = {
  get: endpoint({
    method: "GET",
    path: "/api/v1/shell-settings",
    summary: "Languages, prefix, variables and package registries of commands",
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
  reference: {
    name: "Shell settings",
    description: "How commands run: the languages of code, a prefix, variables, and registries of packages.",
  },
  glossary: {
    process: "A command of a conversation that outlives the call that started it, with an id such as `proc_1a2b3c4d`.",
    "shell session": "The folder and the exported variables with which the next command of a conversation starts.",
  },
  endpoints: shellSettingsEndpoints,
  audit: {
    "shell_settings.updated": "Shell settings updated",
  },
});

import { isJsonObject } from "@/contracts/lib/is-json-object";
import { SecretName, type SkillEntry, SkillName, type SkillParameter, skillParameterTypes } from "@/contracts/skills/skills";
import { AppError } from "@/server/platform/errors";
import { readSkillText } from "./frontmatter";
import { assertSkillPath } from "./skill-paths";
import { skillToolName } from "./tool-name";

export type DeclaredSecret = { name: string; description: string; required: boolean };

/** The frontmatter of a skill. */
export type Manifest = {
  name: string;
  title: string;
  description: string;
  license: string | null;
  skillVersion: string | null;
  author: string | null;
  tags: string[];
  parameters: SkillParameter[];
  entries: SkillEntry[];
  requiredTools: string[];
  allowedTools: string[];
  secrets: DeclaredSecret[];
  programs: string[];
  hosts: string[];
  body: string;
  bodyLine: number;
};

const maxDescription = 4_000;
const maxEntries = 30;

/** Reads what a SKILL.md declares: the open Agent Skills format, and the fields of ours. @throws AppError `invalid` */
export function readManifest(text: string): Manifest {
  const { fields, body, bodyLine, lineOf } = readSkillText(text);
  const at = (key: string) => `SKILL.md, line ${lineOf(key)}`;
  const name = SkillName.safeParse(fields.name);
  if (!name.success) {
    throw new AppError(
      "invalid",
      `${at("name")}: invalid skill name '${wordsOf(fields.name).slice(0, 80)}'. Use 1 to 64 lower-case letters, digits, dots, _ or -.`,
    );
  }
  const description = wordsOf(fields.description).trim();
  if (description === "")
    throw new AppError("invalid", `${at("description")}: a skill needs a description that says what it does and when to use it.`);
  if (description.length > maxDescription) throw new AppError("invalid", `${at("description")}: at most ${maxDescription} characters.`);
  const metadata = isJsonObject(fields.metadata) ? fields.metadata : {};
  return {
    name: name.data,
    title: wordsOf(fields.title ?? metadata.title).trim() || titleOf(name.data),
    description,
    license: wordsOf(fields.license).trim() || null,
    skillVersion: wordsOf(fields.version ?? metadata.version).trim() || null,
    author: wordsOf(fields.author ?? metadata.author).trim() || null,
    tags: wordsIn(fields.tags ?? metadata.tags).slice(0, 20),
    parameters: readParameters(fields.parameters, at("parameters")),
    entries: readEntries(fields.scripts, name.data, at("scripts")),
    requiredTools: wordsIn(fields.tools),
    allowedTools: wordsIn(fields["allowed-tools"] ?? fields.allowedTools),
    secrets: readSecrets(fields.secrets ?? metadata.secrets, at("secrets")),
    programs: wordsIn(fields.programs ?? metadata.programs).filter((word) => /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/.test(word)),
    hosts: wordsIn(fields.hosts ?? metadata.hosts).slice(0, 50),
    body,
    bodyLine,
  };
}

const wordsOf = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? String(value) : "";

const titleOf = (name: string): string => {
  const words = name.replace(/[-_.]+/g, " ").trim();
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

/** A list, or a text whose words are separated by commas or spaces; brackets keep their words together: `Bash(git add:*)`. */
function wordsIn(value: unknown): string[] {
  const words = Array.isArray(value) ? value.map(wordsOf) : (wordsOf(value).match(/[^\s,(]+(?:\([^)]*\))?/g) ?? []);
  return words
    .map((word) => word.trim().slice(0, 200))
    .filter((word) => word !== "")
    .slice(0, 200);
}

/** Parameters as a list of objects with names, or as an object by names. */
function readParameters(value: unknown, place: string): SkillParameter[] {
  if (value === undefined || value === null) return [];
  const given: [string, unknown][] = Array.isArray(value)
    ? value.map((item) => [wordsOf(isJsonObject(item) ? item.name : item), item])
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  if (given.length === 0 && !(Array.isArray(value) && value.length === 0)) {
    throw new AppError("invalid", `${place}: parameters must be a list of objects with name and type.`);
  }
  const parameters = given.map(([name, item]): SkillParameter => {
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
      throw new AppError(
        "invalid",
        `${place}: a parameter is named '${name.slice(0, 80)}'. Begin with a letter; use letters, digits, _ and -.`,
      );
    }
    const { type, description, required, default: standard } = isJsonObject(item) ? item : {};
    const known = skillParameterTypes.find((one) => one === (wordsOf(type) || "string"));
    if (!known)
      throw new AppError(
        "invalid",
        `${place}: the parameter ${name} has the type '${wordsOf(type).slice(0, 40)}'. Use ${skillParameterTypes.join(", ")}.`,
      );
    return {
      name,
      type: known,
      description: wordsOf(description).slice(0, 1_000),
      required: required === true,
      ...(standard === undefined || standard === null ? {} : { default: standard }),
    };
  });
  const names = parameters.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new AppError("invalid", `${place}: the parameter ${twice} stands there twice. Keep one.`);
  return parameters;
}

/** Scripts that become tools. A list of plain paths is a note of the package and makes none. */
function readEntries(value: unknown, skill: string, place: string): SkillEntry[] {
  if (!Array.isArray(value)) return [];
  const entries = value.filter(isJsonObject).map((item): SkillEntry => {
    const id = wordsOf(item.id ?? item.name);
    if (!/^[a-z][a-z0-9_-]{0,39}$/.test(id)) {
      throw new AppError("invalid", `${place}: a script has the id '${id.slice(0, 60)}'. Use 1 to 40 lower-case letters, digits, _ or -.`);
    }
    const path = assertSkillPath(wordsOf(item.path));
    if (!path.startsWith("scripts/")) {
      throw new AppError("invalid", `${place}: the script ${id} is ${path}, outside scripts/. Move it into the skill's folder scripts/.`);
    }
    const fixedArgs = item.fixedArgs ?? item.fixed_args ?? [];
    if (!Array.isArray(fixedArgs)) throw new AppError("invalid", `${place}: fixedArgs of ${id} must be a list of texts.`);
    return {
      id,
      path,
      description: wordsOf(item.description).slice(0, 1_000),
      fixedArgs: fixedArgs.map(wordsOf),
      parameters: readParameters(item.parameters, place),
      tool: skillToolName(skill, id),
    };
  });
  if (entries.length > maxEntries) throw new AppError("invalid", `${place}: at most ${maxEntries} scripts become tools.`);
  const names = entries.map(({ tool }) => tool);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw new AppError("invalid", `${place}: two scripts would make the tool ${twice}. Give them other ids.`);
  return entries;
}

/** Secrets as a list of names, or of objects with name and description, or as an object by names. */
function readSecrets(value: unknown, place: string): DeclaredSecret[] {
  const given = Array.isArray(value)
    ? value
    : isJsonObject(value)
      ? Object.entries(value).map(([name, item]) => (isJsonObject(item) ? { ...item, name } : { name, description: item }))
      : typeof value === "string"
        ? wordsIn(value)
        : [];
  return given.slice(0, 50).map((item) => {
    const { name, description, required } = isJsonObject(item) ? item : { name: item, description: "", required: true };
    const checked = SecretName.safeParse(name);
    if (!checked.success)
      throw new AppError(
        "invalid",
        `${place}: a secret is named '${wordsOf(name).slice(0, 60)}'. Use letters, digits and _, the first one no digit.`,
      );
    return { name: checked.data, description: wordsOf(description).slice(0, 500), required: required !== false };
  });
}

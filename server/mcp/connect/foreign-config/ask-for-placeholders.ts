import type { ForeignServer } from "./foreign-server";

/** Arguments that a README leaves to its reader. */
const placeholder =
  /^(?:<[^<>]+>|your[-_ ]?\w*(?:key|token|secret|password|id|url)\w*|x{4,}|replace[-_ ]?me|changeme|\/(?:path|absolute\/path)\/to\/.*)$/i;
const placeholderInQuery = /[?&][\w.-]+=(?:<[^<>&]+>|your[-_]\w+)(?:&|$)/i;
const containers = /(?:^|\/)(?:docker|podman)$/;
const variableOption = /^(?:-e|--env)$/;

/**
 * Asks for what a README leaves to its reader outside of variables and headers: arguments such as `YOUR_API_KEY`, an address with a
 * key to fill in, and variables that a container takes from its environment (`docker run -e TOKEN image`).
 */
export function askForPlaceholders(given: ForeignServer): ForeignServer {
  const notes = [...given.notes];
  const missing = [...given.missing];
  const { settings } = given;
  const env = { ...settings.env };
  const ask = (path: string, why: string) => {
    if (missing.includes(path)) return;
    notes.push(`Type the value of ${path}: ${why}.`);
    missing.push(path);
  };
  const args = settings.args.map((arg, place) => {
    if (containers.test(settings.command) && variableOption.test(settings.args[place - 1] ?? "")) {
      const [, name = "", value] = /^([A-Za-z_]\w*)(?:=(.*))?$/s.exec(arg) ?? [];
      const isLeft = name !== "" && (value === undefined ? !Object.hasOwn(env, name) : placeholder.test(value));
      if (!isLeft) return arg;
      env[name] = "";
      ask(`env.${name}`, "the container takes it from its environment");
      return name;
    }
    if (!placeholder.test(arg)) return arg;
    ask(`args.${place}`, `the configuration holds the placeholder ${arg.slice(0, 200)}`);
    return "";
  });
  const hasPlaceholder = placeholderInQuery.test(settings.url);
  if (hasPlaceholder) ask("url", `it holds a placeholder (${settings.url.slice(0, 200)})`);
  return { ...given, settings: { ...settings, args, env, url: hasPlaceholder ? "" : settings.url }, notes, missing };
}

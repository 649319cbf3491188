import type { ForeignServer } from "./foreign-server";
import { emptyServer, isBareAddress, takeValue, transportAt, withScheme } from "./foreign-server";
import { isShellLine, shellLineNote, splitWords } from "./split-words";

const programs = /^(?:\w+=\S+\s+)*(?:npx|bunx|pnpm|yarn|uvx|uv|pipx|docker|podman|node|bun|deno|python3?|go)\s+\S/;

/** Tells whether a text is one command that starts a server, or a server's bare address. */
export const isProgramLine = (text: string): boolean => {
  const line = withoutPrompt(text);
  return !/[\n\r]/.test(line) && (programs.test(line) || isAddress(line));
};

/** Reads `npx -y server`, `KEY=value uvx server`, `docker run … image` or `https://example.com/mcp`. */
export function readProgramLine(text: string): ForeignServer {
  const line = withoutPrompt(text);
  if (isAddress(line)) {
    const url = withScheme(line);
    const server = emptyServer(nameOfAddress(url));
    server.settings = { ...server.settings, transport: transportAt("", url), url: takeValue(server, "url", url) };
    return server;
  }
  const words = splitWords(line);
  const start = words.findIndex((word) => !/^\w+=/.test(word));
  const [command = "", ...args] = words.slice(start);
  const server = emptyServer(nameOfProgram(command, args));
  if (isShellLine(line)) {
    server.notes.push(shellLineNote);
    return { ...server, settings: { ...server.settings, transport: "stdio" } };
  }
  const env = words.slice(0, start).map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  server.settings = {
    ...server.settings,
    transport: "stdio",
    command,
    // A shell would have filled in `$NAME`.
    args: args.map((arg, place) => takeValue(server, `args.${place}`, arg.replace(/\$([A-Za-z_]\w*)/g, "$${$1}"))),
    env: Object.fromEntries(env.map(([name, value]) => [name, takeValue(server, `env.${name}`, value)])),
  };
  return server;
}

const isAddress = (line: string): boolean => /^https?:\/\/\S+$/i.test(line) || isBareAddress(line);

const withoutPrompt = (text: string): string =>
  text
    .replace(/\\\r?\n/g, " ")
    .trim()
    .replace(/^[$>]\s+/, "");

function nameOfAddress(address: string): string {
  const host = URL.canParse(address) ? new URL(address).hostname : "";
  const labels = host.split(".").filter((label) => !/^(?:www|mcp|api|com|org|net|io|dev|ai|app|localhost)$/.test(label));
  return labels[0] ?? host;
}

/** Options of package runners whose next word is a value. */
const withValue =
  /^(?:-e|--env|-v|--volume|--mount|-p|--publish|--name|--network|--from|--with|--package|--directory|--python|-w|--workdir)$/;

/** Names a server after its package or script: `@acme/weather-mcp@1.2.0` and `mcp/weather:latest` become `weather`. */
function nameOfProgram(command: string, args: readonly string[]): string {
  const words = args.filter(
    (word, index) => !word.startsWith("-") && !withValue.test(args[index - 1] ?? "") && !/^(?:run|exec|dlx|tool|x)$/.test(word),
  );
  const target = words[0] ?? command;
  const file =
    target
      .split("/")
      .filter((part) => !/^(?:dist|build|src|index\.\w+|main\.\w+|server\.\w+)$/.test(part))
      .at(-1) ?? target;
  const bare = file.replace(/(?<=.)[@:=<>].*$/, "").replace(/\.\w{1,4}$/, "");
  return bare.replace(/^(?:mcp-server-|server-|mcp-)|(?:-mcp-server|-mcp|-server)$/g, "") || bare;
}

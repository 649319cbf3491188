import type { ForeignServer } from "./foreign-server";
import { emptyServer, isBareAddress, takeValue, transportAt, withScheme } from "./foreign-server";
import { assignment, localProgram, runners, withoutWindowsPath } from "./local-program";
import { isShellLine, shellLineNote, splitShellWords } from "./split-words";

const programs = new RegExp(
  String.raw`^(?:(?:(?:/usr)?/bin/)?env\s+)?(?:${assignment}\s+)*(?:[Cc][Mm][Dd](?:\.exe)?\s+/[cC]\s+)?(["']?)(?:~?\.{0,2}/(?:[^\s"']+/)?)?(?:${runners})\1\s+\S`,
);

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
  const notes: string[] = [];
  const words = splitShellWords(line);
  const { path: command, args = [], env } = localProgram({ path: "env", args: words }, (sentence) => void notes.push(sentence));
  const server = emptyServer(nameOfProgram(command, args));
  if (isShellLine(line)) {
    server.notes.push(shellLineNote);
    return { ...server, settings: { ...server.settings, transport: "stdio" } };
  }
  server.notes.push(...notes);
  server.settings = {
    ...server.settings,
    transport: "stdio",
    command,
    args: args.map((arg, place) => takeValue(server, `args.${place}`, arg)),
    env: Object.fromEntries(Object.entries(env ?? {}).map(([name, value]) => [name, takeValue(server, `env.${name}`, value)])),
  };
  return server;
}

const isAddress = (line: string): boolean => /^https?:\/\/\S+$/i.test(line) || isBareAddress(line);

const withoutPrompt = (text: string): string =>
  withoutWindowsPath(
    text
      .replace(/\\\r?\n/g, " ")
      .trim()
      .replace(/^[$>]\s+/, ""),
  );

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

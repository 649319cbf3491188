import { readFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { RegisteredTool } from "../../server/tools/registered-tool";
import { type Given, registered } from "./registered";
import { registrySentences } from "./registry-sentences";

/** Tools, requests, and for each request the tools that fulfil it. */
export type DataSet = { tools: RegisteredTool[]; requests: { text: string; wanted: string[] }[] };

/** The folder with the data sets that bench/README.md names. */
function folder(): string {
  const given = process.env.TOOL_RETRIEVAL_DATA;
  if (!given) throw new Error("Set TOOL_RETRIEVAL_DATA to the folder with the data sets that bench/README.md names");
  return given;
}

const read = (file: string): string => readFileSync(path.join(folder(), file), "utf8");
const readJson = (file: string): unknown => JSON.parse(read(file));
const readLines = (file: string): unknown[] =>
  read(file)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Tools by name; of equal names the first is kept. */
function toolsOf(given: readonly Given[]): RegisteredTool[] {
  return [...new Map(given.map((tool) => [`${tool.source}/${tool.name}`, registered(tool)])).values()];
}

export function mcpproxy(): DataSet {
  const Tools = z.object({ tools: z.array(z.object({ description: z.string(), server: z.string(), tool: z.string() })) });
  const Queries = z.object({
    queries: z.array(z.object({ query: z.string(), labels: z.array(z.object({ tool_id: z.string(), relevance: z.number() })) })),
  });
  const { tools } = Tools.parse(readJson("mcpproxy-tools.json"));
  return {
    tools: toolsOf(tools.map(({ tool, server, description }) => ({ name: tool, description, source: server, inputSchema: {} }))),
    requests: Queries.parse(readJson("mcpproxy-queries.json")).queries.map(({ query, labels }) => ({
      text: query,
      wanted: labels.filter(({ relevance }) => relevance > 0).map(({ tool_id }) => tool_id.replace(":", "__")),
    })),
  };
}

export function sealTools(): DataSet {
  const Tool = z.object({
    api_name: z.string(),
    api_description: z.string(),
    parameters: z.record(z.string(), z.object({ description: z.string().default("") }).loose()),
  });
  const Query = z.object({ query: z.string(), calling: z.array(z.object({ api: z.string() })) });
  return {
    tools: toolsOf(
      readLines("sealtools-tools.jsonl").map((line) => {
        const { api_name, api_description, parameters } = Tool.parse(line);
        const properties = Object.fromEntries(Object.entries(parameters).map(([name, { description }]) => [name, { description }]));
        return { name: api_name, description: api_description, source: "", inputSchema: { type: "object", properties } };
      }),
    ),
    requests: readLines("sealtools-queries.jsonl").map((line) => {
      const { query, calling } = Query.parse(line);
      return { text: query, wanted: [...new Set(calling.map(({ api }) => api))] };
    }),
  };
}

export function metaTool(): DataSet {
  const described = z.record(z.string(), z.string()).parse(readJson("metatool-tools.json"));
  return {
    tools: toolsOf(Object.entries(described).map(([name, description]) => ({ name, description, source: "", inputSchema: {} }))),
    requests: readCsv(read("metatool-queries.csv"))
      .slice(1)
      .flatMap(([text, tool]) => (text && tool ? [{ text, wanted: [tool] }] : [])),
  };
}

const LiveServers = z.array(
  z.object({
    tools: z.record(
      z.string(),
      z.object({
        tools: z
          .array(z.object({ name: z.string(), description: z.string().nullish(), inputSchema: z.record(z.string(), z.json()).default({}) }))
          .nullish(),
      }),
    ),
  }),
);

/** 527 real tools. Of equal names in several servers each fulfils a request for that name. */
export function liveMcpBench(): DataSet {
  const tools = toolsOf(
    LiveServers.parse(readJson("livemcpbench-tools.json")).flatMap(({ tools }) =>
      Object.entries(tools).flatMap(([source, { tools }]) =>
        (tools ?? []).map(({ name, description, inputSchema }) => ({ name, description: description ?? "", source, inputSchema })),
      ),
    ),
  );
  const known = new Set(tools.map(({ rawName }) => rawName));
  const Tasks = z.array(z.object({ Question: z.string(), "Annotator Metadata": z.object({ Tools: z.string() }) }));
  return {
    tools,
    requests: Tasks.parse(readJson("livemcpbench-tasks.json")).flatMap(({ Question, "Annotator Metadata": { Tools } }) => {
      const wanted = Tools.split("\n")
        .map((line) => line.replace(/^\s*\d+\.\s*/, "").trim())
        .filter((name) => known.has(name));
      return wanted.length > 0 ? [{ text: Question, wanted }] : [];
    }),
  };
}

/** 755 real tools of 28 servers of a public registry, with sentences of our own. */
export function registry(): DataSet {
  const Listed = z.object({ name: z.string(), description: z.string().nullish(), inputSchema: z.record(z.string(), z.json()).default({}) });
  const servers = z.record(z.string(), z.array(Listed)).parse(readJson("docker-registry-tools.json"));
  return {
    tools: toolsOf(
      Object.entries(servers).flatMap(([source, listed]) =>
        listed.map(({ name, description, inputSchema }) => ({ name, description: description ?? "", source, inputSchema })),
      ),
    ),
    requests: registrySentences.map(([text, tool]) => ({ text, wanted: [tool.replace("|", "__")] })),
  };
}

/** Cells of a CSV file with quoted cells. */
function readCsv(text: string): string[][] {
  return text
    .split(/\r?\n(?=(?:[^"]*"[^"]*")*[^"]*$)/)
    .map((line) => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).map((cell) => cell.replace(/^"([\s\S]*)"$/, "$1").replaceAll('""', '"')));
}

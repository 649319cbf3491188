import { zipSync } from "fflate";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { conversationEndpoints } from "../contracts/conversations/conversations";
import { knowledgeEndpoints } from "../contracts/knowledge/knowledge";
import { knowledgePageEndpoints } from "../contracts/knowledge/knowledge-pages";
import { memoryEndpoints } from "../contracts/memory/memory";
import { buildPath, type Caller } from "../e2e/caller";
import { pagedPdf } from "../e2e/document-files";
import { skillText } from "../e2e/skill-packages";
import { Connection, requestBytes } from "./connection";
import { largeLines } from "./knowledge-lists";
import { type Line, milliseconds } from "./report";
import { scaled } from "./scale";
import { percentile } from "./statistics";
import { type Given, withProduct } from "./with-product";

const linesPerPage = 45;
const words = "valve pressure boundary layer supersonic wing flow plate heat shock number theory result velocity gradient surface".split(
  " ",
);
const skillCount = 200;
const catalogueTokens = 600;

/** Measures what people and agents wait for: a document that was dropped, the prompt, lists, and the search in earlier conversations. */
export const knowledgeUse = (): Promise<Line[]> =>
  withProduct(async (given) => [
    await documentLine(given),
    ...(await skillLines(given)),
    ...(await promptLines(given)),
    ...(await largeLines(given)),
  ]);

async function documentLine({ admin }: Given): Promise<Line> {
  const count = scaled(300, 30);
  const pages = Array.from({ length: count }, (_, page) =>
    Array.from({ length: linesPerPage }, (_, line) =>
      [`page${page + 1}`, ...Array.from({ length: 11 }, (_, at) => words[(page * 7 + line * 3 + at * at) % words.length])].join(" "),
    ).join("\n"),
  );
  const { id } = await admin.call(knowledgeEndpoints.create, { body: { name: "Manuals" } });
  const began = performance.now();
  const path = buildPath(knowledgeEndpoints.addSource.path, { params: { id }, query: { name: "manual.pdf" } });
  const sent = await admin.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: Buffer.from(pagedPdf(pages)),
  });
  if (sent.status !== 201) throw new Error(`The document was refused: ${await sent.text()}`);
  for (;;) {
    const { items } = await admin.call(knowledgeEndpoints.search, { params: { id }, query: { query: `page${count}` } });
    if (items.some(({ page }) => page === count)) break;
    if (performance.now() - began > 300_000) throw new Error("The last page was not found within five minutes");
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const seconds = (performance.now() - began) / 1_000;
  return {
    measured: `a PDF of ${count} full pages, from the drop until its last page is found`,
    ours: `${seconds.toFixed(1)} s`,
    target: "<= 60 s",
    isMet: seconds <= 60,
  };
}

async function skillLines({ admin, agent, product: { port }, asAdmin }: Given): Promise<Line[]> {
  const files = Object.fromEntries(
    Array.from({ length: skillCount }, (_, at) => [
      `skills/skill-${at}/SKILL.md`,
      Buffer.from(skillText(`skill-${at}`, "", `Step one of ${at}. `.repeat(100)).replace("for tests", "for tests ".repeat(20))),
    ]),
  );
  const installed = await admin.fetch("/api/v1/skill-packages", {
    method: "POST",
    headers: { "content-type": "application/zip" },
    body: Buffer.from(zipSync(files)),
  });
  if (installed.status !== 201) throw new Error(`The skills were refused: ${await installed.text()}`);
  const connection = await Connection.open(port);
  const listing = requestBytes(port, { path: "/api/v1/skills?limit=200", headers: asAdmin });
  const times: number[] = [];
  for (let round = 0; round < scaled(300, 20); round++) {
    const began = performance.now();
    const { status } = await connection.send(listing);
    if (status !== 200) throw new Error(`The list of skills answered ${status}`);
    times.push(performance.now() - began);
  }
  connection.close();
  const sections = await sectionsOf(agent);
  const catalogue = sections.slice(sections.indexOf("# Skills"));
  const tokens = countTokens(catalogue);
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  return [
    { measured: `list of ${skillCount} skills, p50`, ours: milliseconds(p50), target: "<= 10 ms", isMet: p50 <= 10 },
    { measured: `list of ${skillCount} skills, p99`, ours: milliseconds(p99) },
    {
      measured: `tokens of the catalogue of ${skillCount} skills`,
      ours: String(tokens),
      target: `<= ${catalogueTokens}`,
      isMet: catalogue.startsWith("# Skills") && tokens <= catalogueTokens,
    },
  ];
}

async function sectionsOf(agent: Caller): Promise<string> {
  const { id } = await agent.call(conversationEndpoints.create, { body: {} });
  return (await agent.call(conversationEndpoints.tools, { params: { id }, query: {} })).sections;
}

/** Fills memory and knowledge far beyond their budgets, beside the 200 skills. */
async function promptLines({ admin, agent }: Given): Promise<Line[]> {
  const { agentId } = await agent.call(conversationEndpoints.create, { body: {} });
  const sentence = "The valve of the second stage is checked each Monday before the shift begins. ";
  for (const filename of ["AGENTS.md", "PROFILE.md", "MEMORY.md", "notes/valves.md"]) {
    const body = { agentId, filename, scope: "TEAM" as const, content: `# ${filename}\n\n${sentence.repeat(200)}`, enabled: true };
    await admin.call(memoryEndpoints.createFile, { body });
  }
  for (let at = 0; at < 60; at++) {
    await admin.call(memoryEndpoints.saveEntry, { body: { agentId, type: "project", key: `fact ${at}`, content: sentence.repeat(5) } });
  }
  const base = { name: "Plant", description: sentence, agents: [{ agentId, access: "read" as const, pageTypes: [] }] };
  const { id } = await admin.call(knowledgeEndpoints.create, { body: base });
  for (let at = 0; at < 40; at++) {
    const body = { title: `Valve ${at}`, summary: sentence.repeat(3), content: `${sentence.repeat(20)} [[valve-${(at * 7) % 40}]]` };
    await admin.call(knowledgePageEndpoints.createPage, { params: { id }, body });
  }
  const first = await sectionsOf(agent);
  const tokens = countTokens(first);
  const isWhole = ["<memory>", "Plant", "# Skills"].every((part) => first.includes(part));
  const isEqual = first === (await sectionsOf(agent));
  return [
    {
      measured: "tokens of memory, knowledge and skills in the prompt, all of them full",
      ours: String(tokens),
      target: "<= 2000",
      isMet: isWhole && tokens <= 2_000,
    },
    { measured: "the same bytes of it in the next conversation", ours: isEqual ? "equal" : "different", target: "equal", isMet: isEqual },
  ];
}

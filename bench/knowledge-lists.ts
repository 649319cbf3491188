import postgres from "postgres";
import { conversationEndpoints } from "../contracts/conversations/conversations";
import { knowledgeEndpoints } from "../contracts/knowledge/knowledge";
import { turnEndpoints } from "../contracts/turns/turns";
import { buildPath } from "../e2e/caller";
import { Connection, requestBytes } from "./connection";
import { type Line, megabytes, milliseconds } from "./report";
import { scaled } from "./scale";
import { percentile } from "./statistics";
import { type Given, turnRequest } from "./with-product";

const messagesEach = 20;
/** A word of a vocabulary in which few words are frequent and most are rare, as in texts of people. */
const wordSql = "'term' || floor(power(random(), 4) * 20000)::int";

/** Fills the database with many conversations and passages, and measures the first pages of lists and the searches over them. */
export async function largeLines(given: Given): Promise<Line[]> {
  const database = postgres(given.databaseUrl, { max: 1, onnotice: () => {} });
  const inspector = await given.product.inspector();
  try {
    const before = await inspector.memory();
    const found = [...(await sessionLines(given, database)), ...(await passageLines(given, database))];
    const after = await inspector.memory();
    const grown = after.heapUsed + after.external - before.heapUsed - before.external;
    return [
      ...found,
      {
        measured: "memory of the process after these searches, more than before",
        ours: megabytes(grown),
        target: "<= 100 MB",
        isMet: grown <= 100 * 1_048_576,
      },
    ];
  } finally {
    inspector.close();
    await database.end();
  }
}

async function sessionLines({ agent, asAgent, asAdmin, product: { port } }: Given, database: postgres.Sql): Promise<Line[]> {
  const count = scaled(5_000, 50);
  const { id } = await agent.call(conversationEndpoints.create, { body: {} });
  await database.unsafe(`
    insert into conversations select (jsonb_populate_record(known, jsonb_build_object('id', gen_random_uuid()))).*
    from conversations known, generate_series(1, ${count}) where known.id = '${id}'`);
  await database.unsafe(`
    insert into runs (id, workspace_id, agent_id, conversation_id, status, request_digest, requested_by, models, limits, message_count, deadline_at, finished_at)
    select gen_random_uuid(), workspace_id, agent_id, id, 'succeeded', '', created_by, '[]', '{}', ${messagesEach}, now(), now()
    from conversations where id <> '${id}' and created_by = (select created_by from conversations where id = '${id}')
      and not exists (select 1 from runs where runs.conversation_id = conversations.id)`);
  await database.unsafe(`
    insert into run_messages (run_id, position, role, content)
    select runs.id, position, case position % 2 when 0 then 'user' else 'assistant' end, jsonb_build_object('text', words.text)
    from runs, generate_series(0, ${messagesEach - 1}) position,
      lateral (select string_agg(${wordSql}, ' ') as text from generate_series(1, 40 + position % 2 + 0 * length(runs.id::text))) words
    where runs.request_digest = ''`);
  await database.unsafe("vacuum analyze conversations, runs, run_messages");
  const turns = buildPath(turnEndpoints.submit.path, { params: { id } });
  const enabled = await agent.fetch(turns, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ calls: [{ id: "call_0", name: "enable_tool", arguments: { toolName: "session_search" } }] }),
  });
  if (!enabled.ok) throw new Error(`session_search was not enabled: ${await enabled.text()}`);
  const of = `${count} conversations with ${count * messagesEach} messages`;
  const query = (at: number) => [`term${at * 17}`, `term${at}`, `term${(at * 131) % 20_000}`].join(" ");
  const rounds = scaled(200, 20);
  const searched = Array.from({ length: rounds }, (_, at) =>
    turnRequest(port, id, asAgent, "session_search", { mode: "search", query: query(at) }),
  );
  const recent = Array.from({ length: rounds }, () => turnRequest(port, id, asAgent, "session_search", {}));
  const listed = [requestBytes(port, { path: "/api/v1/chats", headers: asAdmin })];
  const filtered = Array.from({ length: rounds }, (_, at) =>
    requestBytes(port, { path: `/api/v1/chats?query=${encodeURIComponent(query(at).split(" ")[0] ?? "")}`, headers: asAdmin }),
  );
  return [
    ...(await timed(port, `session_search of three words, ${of}`, searched, rounds)),
    ...(await timed(port, `session_search of the latest, ${of}`, recent, rounds)),
    ...(await timed(port, `first page of the chats, ${of}`, listed, rounds)),
    ...(await timed(port, `first page of the chats with a word, ${of}`, filtered, rounds)),
  ];
}

/** Copies the passages and pages that are there, each with a rare word of its own. */
async function passageLines({ admin, asAdmin, product: { port } }: Given, database: postgres.Sql): Promise<Line[]> {
  const [passages, pages] = [scaled(100_000, 2_000), scaled(5_000, 100)];
  const { items } = await admin.call(knowledgeEndpoints.list, { query: {} });
  const withSources = items.find(({ sources }) => sources > 0);
  const withPages = items.find(({ pages }) => pages > 0);
  if (!withSources || !withPages) throw new Error("The bases with a source and with pages are not there");
  await database.unsafe(`
    insert into knowledge_chunks select (jsonb_populate_record(null::knowledge_chunks, to_jsonb(known) || jsonb_build_object('id', gen_random_uuid()))).*
    from (select knowledge_chunks.*, row_number() over () as place from knowledge_chunks where base_id = '${withSources.id}') known,
      generate_series(1, 1 + ${passages} / (select count(*)::int from knowledge_chunks where base_id = '${withSources.id}')) copy`);
  await database.unsafe(`
    insert into knowledge_pages select (jsonb_populate_record(null::knowledge_pages,
      to_jsonb(known) || jsonb_build_object('id', gen_random_uuid(), 'slug', known.slug || '-' || copy, 'title', known.title || ' ' || copy))).*
    from knowledge_pages known, generate_series(1, ${Math.ceil(pages / 40)}) copy where base_id = '${withPages.id}' and not is_system`);
  await database.unsafe("vacuum analyze knowledge_chunks, knowledge_pages");
  const lists: readonly (readonly [string, string])[] = [
    ["knowledge bases", "/api/v1/knowledge-bases"],
    ["sources of a base", buildPath("/api/v1/knowledge-bases/{id}/sources", { params: { id: withSources.id } })],
    [`${pages} pages of a base`, buildPath("/api/v1/knowledge-bases/{id}/pages", { params: { id: withPages.id } })],
    ["skills", "/api/v1/skills"],
  ];
  const rounds = scaled(200, 20);
  const lines: Line[] = [];
  for (const [what, path] of lists) {
    lines.push(...(await timed(port, `first page of ${what}`, [requestBytes(port, { path, headers: asAdmin })], rounds)));
  }
  return lines;
}

async function timed(port: number, measured: string, requests: readonly Buffer[], rounds: number): Promise<Line[]> {
  const connection = await Connection.open(port);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const request = requests[round % requests.length];
    if (!request) throw new Error("There is no request to time");
    const began = performance.now();
    const { status, body } = await connection.send(request);
    if (status !== 200 || body.includes('"isError":true')) throw new Error(`${measured}: ${status} ${body}`);
    times.push(performance.now() - began);
  }
  connection.close();
  const p99 = percentile(times, 0.99);
  return [
    {
      measured: `${measured}, p50 / p99`,
      ours: `${milliseconds(percentile(times, 0.5))} / ${milliseconds(p99)}`,
      target: "<= 50 ms",
      isMet: p99 <= 50,
    },
  ];
}

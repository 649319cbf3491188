/**
 * `npm run person -- <plan|export|erase> <contact|member|conversation> <id> [--confirm <name>]`: what a workspace holds of a person,
 * through the API of a running Handrail. `HANDRAIL_URL` names it; `HANDRAIL_API_KEY` has the scope `people:erase`.
 */
import { parseArgs } from "node:util";

const usage = `Usage: npm run person -- <plan|export|erase> <contact|member|conversation> <id> [--confirm <name>]
  plan     counts what an erasure would remove
  export   writes everything that is held as lines of JSON to the standard output
  erase    erases it; --confirm repeats the name that the plan shows
  HANDRAIL_URL      address of Handrail, http://localhost:3000 by default
  HANDRAIL_API_KEY  a key with the scope people:erase`;

const lookMs = 1_000;

type Plan = { name: string; counts: Record<string, number>; auditEvents: number; refusal: string | null };
type Erasure = { id: string; status: string; step: string; counts: Record<string, number>; auditEvents: number };

/** @returns 0 when it was done, 1 when it was refused, 2 for a wrong command line */
async function run(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: { confirm: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) {
      console.log(usage);
      return 0;
    }
    const [verb, kind, personId, ...others] = positionals;
    if (!verb || !kind || !personId || others.length > 0 || !["plan", "export", "erase"].includes(verb)) {
      console.error(usage);
      return 2;
    }
    const about = new URLSearchParams({ kind, personId });
    if (verb === "export") return await writeExport(about);
    if (verb === "erase" && values.confirm !== undefined) return await erase({ kind, personId, confirm: values.confirm });
    const plan = (await ask("GET", `/plan?${about}`)) as Plan;
    tell(plan.counts, plan.auditEvents);
    if (plan.refusal !== null) console.log(plan.refusal);
    if (verb === "erase") console.log(`Nothing was erased. Repeat the command with --confirm ${JSON.stringify(plan.name)}.`);
    return verb === "erase" ? 1 : 0;
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    if (!isOfLine(error)) return 1;
    console.error(usage);
    return 2;
  }
}

const isOfLine = (error: unknown): boolean => error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

async function writeExport(about: URLSearchParams): Promise<number> {
  const response = await send("GET", `/export?${about}`);
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) process.stdout.write(chunk);
  return 0;
}

async function erase(draft: { kind: string; personId: string; confirm: string }): Promise<number> {
  let erasure = (await ask("POST", "", draft)) as Erasure;
  let said = "";
  while (erasure.status !== "done") {
    if (erasure.step !== said) console.error(erasure.step);
    said = erasure.step;
    await new Promise((resolve) => setTimeout(resolve, lookMs));
    erasure = (await ask("GET", `/${erasure.id}`)) as Erasure;
  }
  tell(erasure.counts, erasure.auditEvents);
  console.log("Erased.");
  return 0;
}

function tell(counts: Record<string, number>, auditEvents: number): void {
  for (const [place, rows] of Object.entries(counts)) console.log(`${place}: ${rows}`);
  console.log(`audit events that lose their content: ${auditEvents}`);
}

const ask = async (method: string, path: string, body?: object): Promise<unknown> => (await send(method, path, body)).json();

async function send(method: string, path: string, body?: object): Promise<Response> {
  const origin = process.env.HANDRAIL_URL ?? "http://localhost:3000";
  const headers = { authorization: `Bearer ${process.env.HANDRAIL_API_KEY ?? ""}`, "content-type": "application/json" };
  const request = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const response = await fetch(`${origin}/api/v1/erasures${path}`, request).catch((error: Error) => {
    throw new Error(`Handrail does not answer at ${origin} (HANDRAIL_URL): ${String(error.cause ?? error)}`);
  });
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as { detail?: string } | null;
  throw new Error(problem?.detail ?? `Handrail answered ${response.status}.`);
}

process.exitCode = await run();

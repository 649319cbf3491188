import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import postgres from "postgres";
import { StartError } from "./start-error";

const oldestMajor = 15;
const answerTimeoutMs = 12_000;

/**
 * Checks that the Postgres behind DATABASE_URL can be used.
 * @throws StartError with one sentence: server unreachable, login refused, database missing, or version too old.
 */
export async function assertUsableServer(url: string): Promise<void> {
  const { host, pathname, username } = new URL(url);
  const sql = postgres(url, { max: 1, connect_timeout: 10, onnotice: () => {}, connection: { application_name: "handrail-start" } });
  try {
    // A server on that port that is no Postgres may never answer, and the driver would then wait without end.
    const [answer] = await Promise.race([sql`select current_setting('server_version_num')::int as version`, silence()]);
    const major = Math.floor(Number(answer?.version) / 10_000);
    if (major < oldestMajor) {
      throw new StartError(`DATABASE_URL leads to Postgres ${major}; Handrail needs ${oldestMajor} or newer.`);
    }
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`DATABASE_URL ${sentenceOf(error, { host, database: pathname.slice(1), username })}`, { cause: error });
  } finally {
    await sql.end({ timeout: 1 });
  }
}

async function silence(): Promise<never> {
  await pause(answerTimeoutMs, undefined, { ref: false });
  throw Object.assign(new Error("no answer"), { code: "CONNECT_TIMEOUT" });
}

function sentenceOf(error: unknown, { host, database, username }: { host: string; database: string; username: string }): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const message = error instanceof Error ? error.message : String(error);
  switch (code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `names a host that cannot be found (${host}): check its spelling.`;
    case "ECONNREFUSED":
      return `leads to ${host}, where nothing listens: start that Postgres, or check host and port.`;
    case "CONNECT_TIMEOUT":
    case "ETIMEDOUT":
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return `leads to ${host}, which does not answer as a Postgres does: check host, port and firewall.`;
    case "28P01":
    case "28000":
      return `is refused by ${host} for the user "${decodeURIComponent(username)}": check user name and password.`;
    case "3D000":
      return `names the database "${decodeURIComponent(database)}", which does not exist on ${host}: create it first.`;
    default:
      return `does not lead to a usable Postgres at ${host} (${message}).`;
  }
}

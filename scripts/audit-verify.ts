/**
 * `npm run audit:verify -- <export, dump or backup> [--checkpoints <file>] [--key <base64>]
 * [--archives <folder>]`: checks a sealed audit without the
 * server and without any package, so that a copy of this file and of `server/families/audit-proof/format` is enough.
 */
import { parseArgs } from "node:util";
import { type FileResult, readCheckpoints, verifyFiles } from "../server/families/audit-proof/format/verify-files.ts";

const usage = `Usage: npm run audit:verify -- <place> [--checkpoints <file>] [--key <public key>] [--archives <folder>]
  <place>        a sealed export (GET /api/v1/audit/sealed-export), a plain dump of pg_dump, or a folder of npm run backup
  --checkpoints  checkpoints kept elsewhere: lines of audit-checkpoints.ndjson, or one answer of the API
  --key          the public key that must have signed every seal
  --archives     the folder of the blob store (.data/blobs), for a dump of a database with archived months`;

process.exit(await run());

/** @returns 0 when the audit is whole, 1 when it is not, 2 when it, or a part of it, could not be checked */
async function run(): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: process.argv.slice(2),
      allowPositionals: true,
      options: { checkpoints: { type: "string" }, key: { type: "string" }, archives: { type: "string" } },
    });
    const [place, ...others] = positionals;
    if (!place || others.length > 0) {
      console.error(usage);
      return 2;
    }
    const checkpoints = values.checkpoints ? readCheckpoints(values.checkpoints) : new Map();
    const results = await verifyFiles(place, { checkpoints, archives: values.archives ?? null, say: sayNowAndThen() });
    if (results.length === 0) console.log("There is no audit in it.");
    let isWhole = results.length > 0;
    for (const result of results) isWhole = tell(result, values.key) && isWhole;
    for (const workspaceId of checkpoints.keys()) {
      if (results.some((result) => result.workspaceId === workspaceId)) continue;
      console.log(`Workspace ${workspaceId}: BROKEN. A checkpoint names it, and none of its seals is here.`);
      isWhole = false;
    }
    if (!isWhole) return 1;
    return results.some(({ unchecked }) => unchecked > 0) ? 2 : 0;
  } catch (error) {
    console.error(`The audit could not be checked: ${error instanceof Error ? error.message : String(error)}`);
    return 2;
  }
}

function tell(
  { workspaceId, counts, publicKeys, lastSealedAt, broken, unsealed, unchecked }: FileResult,
  key: string | undefined,
): boolean {
  const foreign = key === undefined ? undefined : publicKeys.find((publicKey) => publicKey !== key);
  const isWhole = !broken && foreign === undefined && (counts.seals > 0 || unsealed === 0);
  const gone =
    counts.removed + counts.erased > 0
      ? ` ${counts.removed} rows were removed and ${counts.erased} payloads erased, as the audit records.`
      : "";
  console.log(
    `Workspace ${workspaceId}: ${!isWhole ? "BROKEN" : unchecked > 0 ? "INCOMPLETE" : "whole"}. ${counts.rows} rows under ${counts.seals} seals checked, sealed up to ${lastSealedAt ?? "nothing"}.${gone}${unsealed > 0 ? ` ${unsealed} rows have no seal yet.` : ""}`,
  );
  if (unchecked > 0) console.log(`  ${unchecked} archived rows were not checked: name the folder of the blob store with --archives.`);
  for (const publicKey of publicKeys) console.log(`  Signed with ${publicKey}`);
  if (broken) console.log(`  ${broken.sentence}${broken.place ? ` Place ${broken.place}, seal ${broken.seal}.` : ""}`);
  if (foreign !== undefined) console.log(`  Seals are signed with ${foreign}, which is not the key that you named.`);
  if (!broken && counts.seals === 0 && unsealed > 0) console.log("  No seal covers any of its rows.");
  return isWhole;
}

function sayNowAndThen(): (rows: number) => void {
  let saidAt = Date.now();
  return (rows) => {
    if (Date.now() - saidAt < 2_000) return;
    saidAt = Date.now();
    console.error(`${rows} rows checked`);
  };
}

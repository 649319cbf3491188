import "server-only";
import type { AuthorizationServerMetadata } from "@modelcontextprotocol/client";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db } from "@/db/client";
import { mcpAuthorizations, mcpPersonSignIns } from "@/db/schema";
import { seal, unseal } from "@/server/platform/crypto";
import type { McpServerRow } from "../settings/server-settings";
import type { Challenge } from "./discover";

/** Authenticated by the seal, so only its shape is remembered here. */
const Metadata = z.custom<AuthorizationServerMetadata>((value) => typeof value === "object" && value !== null);

/** A registration of Handrail at one issuer. `given`: an admin entered it. */
export const OAuthClient = z.object({
  kind: z.enum(["given", "registered", "document"]),
  issuer: z.string(),
  redirectUrl: z.string(),
  information: z.looseObject({ client_id: z.string(), client_secret: z.string().optional() }),
});
export type OAuthClient = z.infer<typeof OAuthClient>;

/** Whose tokens a connection carries: those of the workspace (`personId` null), or of one person. */
export type Holder = { serverId: string; personId: string | null };

/** A sign-in that has begun, for one person in one session. */
export const SignInRequest = z.object({
  /** The tokens will be those of the person, not of the workspace. */
  isPersonal: z.boolean().default(false),
  personId: z.string(),
  sessionId: z.string(),
  serverUrl: z.string(),
  verifier: z.string(),
  redirectUrl: z.string(),
  resource: z.string(),
  scope: z.string().nullable(),
  metadata: Metadata,
  client: OAuthClient,
});
export type SignInRequest = z.infer<typeof SignInRequest>;

/** Tokens with all that their renewal needs. */
export const StoredTokens = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  scope: z.string().nullable(),
  /** The grant that issues the next tokens; `client_credentials`: Handrail itself is signed in, and no person is. */
  grant: z.enum(["authorization_code", "client_credentials"]).default("authorization_code"),
  /** The only address that receives the access token. */
  serverUrl: z.string(),
  resource: z.string(),
  metadata: Metadata,
  client: OAuthClient,
});
export type StoredTokens = z.infer<typeof StoredTokens>;

export const sealJson = (value: unknown): string => seal(JSON.stringify(value));

/** Opens a sealed value, or returns null when there is none or it was sealed with another key. */
export function openJson<S extends z.ZodType>(schema: S, sealed: string | null | undefined): z.output<S> | null {
  if (!sealed) return null;
  try {
    return schema.parse(JSON.parse(unseal(sealed)));
  } catch {
    return null;
  }
}

export type AuthorizationRow = typeof mcpAuthorizations.$inferSelect;

/** Finds the OAuth of a server: its client, its last challenge and the workspace's tokens. */
export async function findAuthorization(tx: Db, serverId: string): Promise<AuthorizationRow | null> {
  const [row] = await tx.select().from(mcpAuthorizations).where(eq(mcpAuthorizations.serverId, serverId));
  return row ?? null;
}

type Columns = Omit<AuthorizationRow, "serverId" | "workspaceId" | "createdAt" | "updatedAt">;
type Change<Name extends keyof Columns> = { [N in Name]?: Columns[N] | SQL };
type SignInColumn = Exclude<keyof Columns, "challenge" | "clientSealed">;

/** Writes columns of a server's authorization, and makes its row when there is none. */
export async function saveAuthorization(
  tx: Db,
  server: Pick<McpServerRow, "id" | "workspaceId">,
  change: Change<keyof Columns>,
): Promise<void> {
  await tx.insert(mcpAuthorizations).values({ serverId: server.id, workspaceId: server.workspaceId }).onConflictDoNothing();
  await tx.update(mcpAuthorizations).set(change).where(eq(mcpAuthorizations.serverId, server.id));
}

/** The table of a holder's tokens with its row in it. */
export const tokensOf = ({ serverId, personId }: Holder) =>
  personId === null
    ? { table: mcpAuthorizations, isHeld: eq(mcpAuthorizations.serverId, serverId) }
    : { table: mcpPersonSignIns, isHeld: and(eq(mcpPersonSignIns.serverId, serverId), eq(mcpPersonSignIns.personId, personId)) };

export type SignInRow = Pick<AuthorizationRow, "workspaceId" | SignInColumn>;

/** Finds the tokens of a holder and the sign-in that has begun; null when there never were any. */
export async function findSignIn(tx: Db, holder: Holder, { lock = false } = {}): Promise<SignInRow | null> {
  const { table, isHeld } = tokensOf(holder);
  const { workspaceId, tokensSealed, renewAt, generation, stateHash, requestSealed, requestExpiresAt } = table;
  const columns = { workspaceId, tokensSealed, renewAt, generation, stateHash, requestSealed, requestExpiresAt };
  const query = tx.select(columns).from(table).where(isHeld);
  const [row] = lock ? await query.for("update") : await query;
  return row ?? null;
}

/** Writes the tokens of a holder or the sign-in that has begun, and makes the row when there is none. */
export async function saveSignInColumns(tx: Db, holder: Holder & { workspaceId: string }, change: Change<SignInColumn>): Promise<void> {
  const { serverId, personId, workspaceId } = holder;
  if (personId === null) return saveAuthorization(tx, { id: serverId, workspaceId }, change);
  await tx.insert(mcpPersonSignIns).values({ serverId, personId, workspaceId }).onConflictDoNothing();
  await tx.update(mcpPersonSignIns).set(change).where(tokensOf(holder).isHeld);
}

/** Stores what a server asked for, so that a sign-in can begin on any replica. */
export const saveChallenge = (tx: Db, server: Pick<McpServerRow, "id" | "workspaceId">, challenge: Challenge): Promise<void> =>
  saveAuthorization(tx, server, { challenge });

const maxLifeSeconds = 365 * 24 * 60 * 60;
const maxMarginSeconds = 60;

/** Returns the columns of new tokens. `expiresIn` is the authorization server's word, so it is bounded. */
export function tokenColumns(tokens: StoredTokens, expiresIn: number | undefined) {
  const life = expiresIn === undefined || !Number.isFinite(expiresIn) ? null : Math.min(Math.max(expiresIn, 0), maxLifeSeconds);
  const renewAfter = life === null ? null : life - Math.min(maxMarginSeconds, life / 5);
  return {
    tokensSealed: sealJson(tokens),
    renewAt: renewAfter === null ? null : sql`now() + make_interval(secs => ${renewAfter})`,
    generation: sql`generation + 1`,
  };
}

/** Removes the tokens and a begun sign-in of a holder. Returns the removed tokens. */
export async function forgetTokens(tx: Db, holder: Holder): Promise<StoredTokens | null> {
  const before = await findSignIn(tx, holder, { lock: true });
  const none = { tokensSealed: null, renewAt: null, stateHash: null, requestSealed: null, requestExpiresAt: null };
  const { isHeld } = tokensOf(holder);
  if (holder.personId === null) await tx.update(mcpAuthorizations).set(none).where(isHeld);
  else
    await tx
      .update(mcpPersonSignIns)
      .set({ ...none, authorization: null })
      .where(isHeld);
  return openJson(StoredTokens, before?.tokensSealed);
}

/** Drops the tokens of a server whose address changes, because they belong to the old address. Returns the server's columns. */
export async function dropWhenMoved(
  tx: Db,
  before: McpServerRow,
  after: Pick<McpServerRow, "urlSealed" | "url">,
): Promise<Partial<McpServerRow>> {
  if (before.urlSealed === after.urlSealed && before.url === after.url) return {};
  await tx.delete(mcpAuthorizations).where(eq(mcpAuthorizations.serverId, before.id));
  await tx.delete(mcpPersonSignIns).where(eq(mcpPersonSignIns.serverId, before.id));
  return { authorization: null, listedWith: null };
}

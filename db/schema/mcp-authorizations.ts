import { integer, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { moment, times } from "../columns";
import { mcpServers } from "./mcp-servers";
import { workspaces } from "./workspaces";

/** OAuth at one MCP server. A table of its own, because its row stays locked while tokens are renewed. */
export const mcpAuthorizations = pgTable("mcp_authorizations", {
  serverId: uuid()
    .primaryKey()
    .references(() => mcpServers.id, { onDelete: "cascade" }),
  workspaceId: uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  /** Last challenge of the server: address of its resource metadata, and the scope that it wants. */
  challenge: jsonb().$type<{ resourceMetadataUrl: string | null; scope: string | null }>(),
  /** Sealed client registration. */
  clientSealed: text(),
  /** Sealed tokens, with the address that they were issued for. */
  tokensSealed: text(),
  /** Moment from which the access token is renewed before use; absent: only after a 401. */
  renewAt: moment(),
  /** Grows with each renewal, so that of several replicas only one renews a token. */
  generation: integer().notNull().default(0),
  /** SHA-256 of the `state` of the sign-in that has begun. */
  stateHash: text().unique(),
  /** Sealed parts of that sign-in: PKCE verifier, person, session, client. */
  requestSealed: text(),
  requestExpiresAt: moment(),
  ...times,
});

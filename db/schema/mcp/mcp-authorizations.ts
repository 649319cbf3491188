import { foreignKey, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { McpAuthorization } from "../../../contracts/mcp/mcp-servers";
import { id, moment, times } from "../../columns";
import { declareText } from "../../personal-text";
import { memberships } from "../users";
import { workspaces } from "../workspaces";
import { mcpServers } from "./mcp-servers";

/** Tokens of one holder and the sign-in that has begun. */
const signIn = () => ({
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
});

/** OAuth at one MCP server, with the workspace's tokens. A table of its own, because its row stays locked while tokens are renewed. */
export const mcpAuthorizations = pgTable("mcp_authorizations", {
  serverId: uuid()
    .primaryKey()
    .references(() => mcpServers.id, { onDelete: "cascade" }),
  workspaceId: uuid()
    .notNull()
    .references(() => workspaces.id, { onDelete: "cascade" }),
  /** Last challenge of the server: address of its resource metadata, and the scope that it wants. */
  challenge: jsonb().$type<{ resourceMetadataUrl: string | null; scope: string | null }>(),
  /** Sealed client registration, for the sign-ins of persons too. */
  clientSealed: text(),
  ...signIn(),
  ...times,
});

/** The sign-in of one member at a server where each person signs in. It goes with the membership. */
export const mcpPersonSignIns = pgTable(
  "mcp_person_sign_ins",
  {
    id: id(),
    serverId: uuid()
      .notNull()
      .references(() => mcpServers.id, { onDelete: "cascade" }),
    workspaceId: uuid().notNull(),
    personId: uuid().notNull(),
    /** Public part of the sign-in; absent while the person is not signed in. `id` is new with each sign-in. */
    authorization: jsonb().$type<{ id: string } & McpAuthorization>(),
    /** Why the person's last attempt to sign in failed. */
    lastError: text(),
    ...signIn(),
    ...times,
  },
  (table) => [
    unique().on(table.serverId, table.personId),
    foreignKey({
      name: "mcp_person_sign_ins_member",
      columns: [table.workspaceId, table.personId],
      foreignColumns: [memberships.workspaceId, memberships.userId],
    }).onDelete("cascade"),
  ],
);

export const mcpAuthorizationsText = declareText({
  goes: [{ table: mcpPersonSignIns, person: mcpPersonSignIns.personId }],
  stays: [mcpAuthorizations],
});

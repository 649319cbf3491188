import "server-only";
import { and, asc, eq, gt } from "drizzle-orm";
import type { AnyPgColumn, AnyPgTable } from "drizzle-orm/pg-core";
import type { AuditEventName } from "@/contracts/audit/audit";
import type { JsonObject } from "@/contracts/common";
import type { Endpoint, Received } from "@/contracts/endpoint";
import type { Db } from "@/db/client";
import { record } from "@/server/audit/record";
import { recordConfigChange } from "@/server/audit/record-config-change";
import { type Actor, toActorRef } from "@/server/auth/actor";
import type { Handled } from "@/server/endpoints/answer";
import { decodeCursor, IdCursor, toPage } from "@/server/platform/database/cursor";
import { db } from "@/server/platform/database/database";
import { isUniqueViolation } from "@/server/platform/database/sql-state";
import { AppError } from "@/server/platform/errors";

/** A table of rows that belong to a workspace and have a name. */
type ResourceTable = AnyPgTable & Record<"id" | "workspaceId" | "name" | "version", AnyPgColumn>;
type ResourceRow = { id: string; workspaceId: string; name: string; version: number };
/** Endpoints of a resource; `create` and `update` take the same body. */
type ResourceEndpoints = Record<"list" | "create" | "remove", Endpoint>;

type RowOf<Table extends ResourceTable> = Table["$inferSelect"] & ResourceRow;
type DraftOf<Group extends ResourceEndpoints> = Received<Group["create"]>["body"];
type ActorOf<E extends Endpoint> = Handled<E>["actor"] & Actor;

type ReaderOf<Group extends ResourceEndpoints> = ActorOf<Group extends { get: infer Get extends Endpoint } ? Get : Group["list"]>;

type Columns<Table extends ResourceTable> = Partial<Omit<Table["$inferInsert"], "id" | "workspaceId" | "version">>;

export type ResourceDefinition<Table extends ResourceTable, Group extends ResourceEndpoints, View> = {
  table: Table;
  /** Types of drafts and permissions; `answer` binds them. */
  endpoints: Group;
  /** The noun of sentences and, with underscores, of audit events: "data source" makes `data_source.created`. */
  noun: string;
  /** Calls a row by its name in sentences; `The webhook "name"` by default. */
  title?: (row: RowOf<Table>) => string;
  /** Converts rows to their public form, in order; no other code does. */
  present: (rows: readonly RowOf<Table>[], tx: Db) => Promise<View[]> | View[];
  /** Returns the members of a row that may stand in the audit: never a secret. */
  inAudit: (row: RowOf<Table>) => JsonObject;
  /** Converts a draft to columns; checks it first. `before` is null for a new row. @throws AppError */
  toColumns: (
    draft: DraftOf<Group>,
    about: { before: RowOf<Table> | null; actor: Actor; tx: Db },
  ) => Columns<Table> | Promise<Columns<Table>>;
  /** Adds to the audit row of an update, which has the settings of now and before. */
  noteUpdate?: (draft: DraftOf<Group>, before: RowOf<Table>, after: RowOf<Table>) => JsonObject;
  /** No replica keeps these rows in memory, so a change has no caches to renew. */
  isUncached?: true;
  /** @throws AppError `conflict` while something needs the row */
  assertRemovable?: (row: RowOf<Table>, tx: Db) => Promise<void>;
};

/** A change of one row for a verb of its own, such as another secret. */
export type ResourceChange<Table extends ResourceTable> = {
  event: AuditEventName;
  set: Columns<Table>;
  /** Data of the audit row. */
  data: (row: RowOf<Table>) => JsonObject;
};

export type Resource<Table extends ResourceTable, Group extends ResourceEndpoints, View> = {
  /** Lists a workspace's rows in the order of their creation. */
  list(input: {
    actor: ActorOf<Group["list"]>;
    query: { limit?: number | undefined; cursor?: string | undefined };
  }): Promise<{ items: View[]; nextCursor: string | null }>;
  /** @throws AppError `not_found`, also for a row of another workspace */
  get(input: { actor: ReaderOf<Group>; params: { id: string } }): Promise<View>;
  /** @throws AppError `conflict` for a taken name, and what `toColumns` throws */
  create(input: { actor: ActorOf<Group["create"]>; body: DraftOf<Group> }, tx?: Db): Promise<View>;
  /** Replaces a row's settings. @throws AppError `not_found`, `stale_version`, `conflict`, and what `toColumns` throws */
  update(
    input: { actor: ActorOf<Group["create"]>; params: { id: string }; body: DraftOf<Group>; version: number | null },
    tx?: Db,
  ): Promise<View>;
  /** @throws AppError `not_found`, `stale_version`, and what `assertRemovable` throws */
  remove(input: { actor: ActorOf<Group["remove"]>; params: { id: string }; version: number | null }): Promise<void>;
  /** Makes the refusal of a row that is not there, or not for this actor. */
  missing(): AppError;
  /** Loads a row. @throws AppError `not_found` */
  find(workspaceId: string, id: string, tx?: Db): Promise<RowOf<Table>>;
  /** `create` with columns that no draft has. */
  insert(actor: ActorOf<Group["create"]>, draft: DraftOf<Group>, more: Columns<Table>, tx?: Db): Promise<View>;
  /** Changes a row for a verb of its own. @throws AppError `not_found` */
  change(actor: ActorOf<Group["create"]>, id: string, change: ResourceChange<Table>): Promise<View>;
};

/**
 * Defines a noun with rows, endpoints and an audit row for each change, in the transaction of the change. Concurrent
 * changes of a row wait for each other; a change based on an older version is refused.
 */
export function defineResource<Table extends ResourceTable, Group extends ResourceEndpoints, View>({
  table,
  noun,
  title = ({ name }) => `The ${noun} "${name}"`,
  present,
  inAudit,
  toColumns,
  noteUpdate = () => ({}),
  isUncached,
  assertRemovable = async () => {},
}: ResourceDefinition<Table, Group, View>): Resource<Table, Group, View> {
  type Row = RowOf<Table>;
  // Drizzle computes rows from a concrete table only.
  const anyTable: AnyPgTable = table;
  const eventOf = (verb: "created" | "updated" | "removed") => `${noun.replaceAll(" ", "_")}.${verb}` as AuditEventName;
  const byId = (workspaceId: string, id: string) => and(eq(table.workspaceId, workspaceId), eq(table.id, id));

  const resource: Resource<Table, Group, View> = {
    async list({ actor, query: { limit = 50, cursor } }) {
      const after = cursor === undefined ? undefined : gt(table.id, decodeCursor(cursor, IdCursor)[0]);
      const found = await db()
        .select()
        .from(anyTable)
        .where(and(eq(table.workspaceId, actor.workspaceId), after))
        .orderBy(asc(table.id))
        .limit(limit + 1);
      const { rows, nextCursor } = toPage(found as Row[], limit, ({ id }) => [id]);
      return { items: await present(rows, db()), nextCursor };
    },
    async get({ actor, params }) {
      return presentOne(await resource.find(actor.workspaceId, params.id), db());
    },
    create: ({ actor, body }, tx) => resource.insert(actor, body, {}, tx),
    update: ({ actor, params, body, version }, within) =>
      refusingTakenName(body, within, async (tx) => {
        const before = await lock(tx, actor, params.id, version);
        const row = await save(tx, before, await toColumns(body, { before, actor, tx }));
        await audit(tx, actor, eventOf("updated"), row, { ...inAudit(row), ...noteUpdate(body, before, row), before: inAudit(before) });
        return presentOne(row, tx);
      }),
    async remove({ actor, params, version }) {
      await db().transaction(async (tx) => {
        const row = await lock(tx, actor, params.id, version);
        await assertRemovable(row, tx);
        await tx.delete(anyTable).where(eq(table.id, row.id));
        await audit(tx, actor, eventOf("removed"), row, inAudit(row));
      });
    },
    missing: () => new AppError("not_found", `This ${noun} does not exist. It may have been removed; list the ${noun}s.`),
    async find(workspaceId, id, tx = db()) {
      const [row] = await tx.select().from(anyTable).where(byId(workspaceId, id));
      return (row as Row | undefined) ?? missing();
    },
    insert: (actor, draft, more, within) =>
      refusingTakenName(draft, within, async (tx) => {
        const values = { ...(await toColumns(draft, { before: null, actor, tx })), ...more, workspaceId: actor.workspaceId };
        const [row] = (await tx
          .insert(anyTable)
          .values(values as object)
          .returning()) as Row[];
        if (!row) throw new Error(`The ${noun} was not inserted`);
        await audit(tx, actor, eventOf("created"), row, inAudit(row));
        return presentOne(row, tx);
      }),
    change: (actor, id, { event, set, data }) =>
      db().transaction(async (tx) => {
        const row = await save(tx, await lock(tx, actor, id, null), set);
        await audit(tx, actor, event, row, data(row));
        return presentOne(row, tx);
      }),
  };
  return resource;

  async function lock(tx: Db, actor: Actor, id: string, version: number | null): Promise<Row> {
    const [found] = await tx.select().from(anyTable).where(byId(actor.workspaceId, id)).for("update");
    const row = (found as Row | undefined) ?? missing();
    if (version === null || version === row.version) return row;
    throw new AppError(
      "stale_version",
      `${title(row)} was changed by somebody else meanwhile. Reload the ${noun}, then repeat your change.`,
    );
  }

  async function save(tx: Db, before: Row, set: Columns<Table>): Promise<Row> {
    const values = { ...set, version: before.version + 1 };
    const [row] = (await tx.update(anyTable).set(values).where(eq(table.id, before.id)).returning()) as Row[];
    if (!row) throw new Error(`A locked ${noun} was not updated`);
    return row;
  }

  async function presentOne(row: Row, tx: Db): Promise<View> {
    const [view] = await present([row], tx);
    return view as View;
  }

  function audit(tx: Db, actor: Actor, event: AuditEventName, row: Row, data: JsonObject): Promise<void> {
    const { workspaceId, requestId } = actor;
    const write = isUncached ? record : recordConfigChange;
    return write(tx, { workspaceId, event, actor: toActorRef(actor), subject: row.id, data, requestId });
  }

  function missing(): never {
    throw resource.missing();
  }

  /** The name is the only unique column of a resource. */
  function refusingTakenName<T>(draft: unknown, within: Db | undefined, work: (tx: Db) => Promise<T>): Promise<T> {
    return (within ?? db()).transaction(work).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      const { name } = draft as { name: string };
      throw new AppError("conflict", `${article(noun)} ${noun} named "${name}" exists already. Choose another name.`, {
        errors: [{ path: "name", message: "is taken" }],
      });
    });
  }
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? "An" : "A");

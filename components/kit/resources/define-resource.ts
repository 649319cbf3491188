import { queryOptions } from "@tanstack/react-query";
import { call } from "@/components/kit/api/call";
import { everyPage } from "@/components/kit/api/every-page";
import type { Addressed, DefinitionOf, Got, Sending } from "@/contracts/endpoint";

export type ResourceRow = { id: string; name: string; version: number };
/** All rows in one answer; an endpoint without pages has no cursor. */
type Page<Row> = { items: Row[]; nextCursor?: string | null };

/** Endpoints of a resource; `create` and `update` take the same body. */
type ResourceEndpoints = Record<"list" | "create" | "update" | "remove", Addressed> & { order?: Addressed };
type RowOf<Group extends ResourceEndpoints> = Got<DefinitionOf<Group["update"]>> & ResourceRow;
type DraftOf<Group extends ResourceEndpoints> = Sending<DefinitionOf<Group["create"]>> extends { body: infer Draft } ? Draft : never;

export type ResourceDefinition<Group extends ResourceEndpoints> = {
  /** First member of all query keys of the noun. */
  key: string;
  /** The noun of titles and buttons: "data source". */
  noun: string;
  endpoints: Group;
  /** The endpoint answers by pages. All of them are read, because the page shows all rows as one list. */
  isPaged?: true;
  /** Milliseconds between two reads of the list; without it the list is not polled. */
  pollMs?: (rows: readonly RowOf<Group>[]) => number;
  /** Returns the draft that changes nothing: rows with a switch send it with the other state. */
  toDraft?: (row: RowOf<Group>) => DraftOf<Group> | Promise<DraftOf<Group>>;
};

/** Queries and requests of a noun with rows. Each rejects with ApiProblem when the API refuses. */
export type Resource<Row extends ResourceRow, Draft, Created> = {
  noun: string;
  all: () => readonly [string];
  list: () => ReturnType<typeof listQuery<Row>>;
  create(draft: Draft): Promise<Created>;
  /** Replaces the settings of a row; refused with 412 when the stored row is newer. */
  update(row: ResourceRow, draft: Draft): Promise<Row>;
  remove(row: ResourceRow): Promise<unknown>;
  /** Stores a new order of all rows. */
  order(rows: readonly Row[]): Promise<Page<Row>>;
  toDraft(row: Row): Draft | Promise<Draft>;
};

/** Defines a noun with rows over the endpoints of its contract, for pages on the server and in the browser. */
export function defineResource<Group extends ResourceEndpoints>(
  definition: ResourceDefinition<Group>,
): Resource<RowOf<Group>, DraftOf<Group>, Got<DefinitionOf<Group["create"]>>> {
  const { key, noun, endpoints, isPaged, pollMs, toDraft } = definition;
  // The types of a generic endpoint stay open here, so that each caller below names its answer.
  const send = <Answer>(endpoint: Addressed, sending: object, options: { signal?: AbortSignal; version?: number } = {}) =>
    call(endpoint, sending, options) as Promise<Answer>;
  const lacks = (what: string): never => {
    throw new Error(`A ${noun} has no ${what}`);
  };
  const byId = ({ id }: ResourceRow) => ({ params: { id } });
  return {
    noun,
    toDraft: toDraft ?? (() => lacks("switch")),
    all: () => [key],
    list: () => {
      const read = (signal: AbortSignal, query?: object) => send<Page<RowOf<Group>>>(endpoints.list, { query }, { signal });
      const readEvery = async (signal: AbortSignal) => ({
        items: await everyPage(async (query) => ({ nextCursor: null, ...(await read(signal, query)) })),
        nextCursor: null,
      });
      return listQuery<RowOf<Group>>(key, isPaged ? readEvery : read, pollMs);
    },
    create: (body) => send(endpoints.create, { body }),
    update: (row, body) => send(endpoints.update, { ...byId(row), body }, { version: row.version }),
    remove: (row) => send(endpoints.remove, byId(row), { version: row.version }),
    order: (rows) => send(endpoints.order ?? lacks("order"), { body: { ids: rows.map(({ id }) => id) } }),
  };
}

function listQuery<Row>(key: string, read: (signal: AbortSignal) => Promise<Page<Row>>, pollMs?: (rows: readonly Row[]) => number) {
  return queryOptions({
    queryKey: [key, "list"],
    queryFn: ({ signal }) => read(signal),
    // The server sends the first page only.
    refetchOnMount: ({ state }) => (state.data?.nextCursor ? "always" : true),
    refetchInterval: ({ state }) => (pollMs ? pollMs(state.data?.items ?? []) : false),
  });
}

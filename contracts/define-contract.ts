import type { Endpoint } from "./endpoint";
import type { NavigationGroup } from "./navigation-groups";
import type { Permission, Role } from "./permissions";

/** A page of the console. Its link follows the link of the page `after`; null puts the page first. */
export type Navigation = {
  label: string;
  path: `/${string}`;
  /** Name of a component of @tabler/icons-react. */
  icon: `Icon${string}`;
  /** Key pressed after `g`. */
  key: string;
  group: NavigationGroup;
  after: `/${string}` | null;
};

/** Meanings by word; a word with two of them says in brackets which one: `run (of a schedule)`. */
export type Glossary = Readonly<Record<string, string>>;

/** `noun.past_verb` */
export type EventName = `${string}.${string}`;

/**
 * All that one noun declares for the API and the console. `contracts/generated.ts`, the OpenAPI document and the
 * navigation are generated from it.
 */
export type Contract<E extends Record<string, Endpoint> = Record<string, Endpoint>, P extends string = string> = {
  /** Name and description of the noun in the API reference. */
  reference: { name: string; description: string };
  /** Words of the noun with their meanings, as docs/glossary.md lists them. */
  glossary?: Glossary;
  endpoints: E;
  /** Permissions of the noun, each with the words that describe the scope. */
  permissions?: Readonly<Record<P, string>>;
  /** Roles that hold each permission; owners and admins hold all. */
  roles?: Readonly<Partial<Record<Exclude<Role, "owner" | "admin">, readonly NoInfer<P>[]>>>;
  /** Permissions that each permission of the noun includes. */
  implies?: Readonly<Partial<Record<NoInfer<P>, readonly Permission[]>>>;
  /** Audit events of the noun, in words. */
  audit?: Readonly<Record<EventName, string>>;
  /** Events that webhooks may subscribe to. */
  events?: Readonly<Record<EventName, { label: string; explanation: string }>>;
  navigation?: Navigation;
  /** The `origin` of conversations that the noun begins. */
  origins?: readonly string[];
  /** The kind of actor that the noun is, in rows, rules and the audit. */
  actors?: readonly string[];
  /** Where tools come from, where the noun brings some: the `source` of a tool. */
  toolSources?: readonly string[];
};

export function defineContract<const E extends Record<string, Endpoint>, const P extends string = never>(
  contract: Contract<E, P>,
): Contract<E, P> {
  return contract;
}

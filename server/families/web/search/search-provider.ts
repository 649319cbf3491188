import { z } from "zod";
import type { SearchFreshness, SearchProviderId } from "@/contracts/tools/search-settings";
import { AppError } from "@/server/platform/errors";

/** `language`: an ISO 639 code, optionally with a region: `de`, `pt-BR`. */
export type SearchQuery = { query: string; count: number; freshness: SearchFreshness | null; language: string | null };

/** One result as a provider wrote it: untrusted. */
export type SearchHit = { title: string; url: string; snippet: string; date: string | null };

export type ProviderRequest = {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  /** Headers with the key. */
  ownHeaders?: Record<string, string>;
  body?: string;
};

/** A search engine: how it is asked, and how its answer is read. Neither function touches the network. */
export type SearchProvider = {
  id: SearchProviderId;
  title: string;
  needs: "key" | "address" | "nothing";
  defaultAddress: string | null;
  /** Filters that the provider does not have. */
  ignores?: readonly ("freshness" | "language")[];
  request: (query: SearchQuery, access: { address: string; key: string }) => ProviderRequest;
  /** @throws AppError `unavailable` when the answer holds no search results */
  read: (answer: string) => SearchHit[];
  /** Explains a status that means something particular at this provider; null for any other. */
  explain?: (status: number, answer: string) => string | null;
};

/** Splits `pt-BR` into its language and its region, in small letters. */
export function splitLanguage(language: string): { language: string; region: string | null } {
  const [code = "", region = null] = language.toLowerCase().split("-");
  return { language: code, region };
}

const Text = z.string().nullish().catch(null);

/**
 * Reads the list at `path` of a JSON answer. A member without an address is dropped, because one odd result must not
 * spoil the others.
 * @throws AppError `unavailable` when the answer is not JSON or has no such list
 */
export function readHits(
  answer: string,
  path: readonly string[],
  fields: { url: string; snippet: string; date?: readonly string[] },
): SearchHit[] {
  const found = path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), parseJson(answer));
  if (!Array.isArray(found)) throw unreadable();
  return found.filter(isObject).flatMap((entry) => {
    const text = (name: string) => Text.parse(entry[name]) ?? "";
    const date = fields.date?.map(text).find((value) => value !== "") ?? null;
    const url = text(fields.url);
    return url === "" ? [] : [{ title: text("title"), url, snippet: text(fields.snippet), date }];
  });
}

/** Parses a JSON answer. @throws AppError `unavailable` */
export function parseJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw unreadable();
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const unreadable = () => new AppError("unavailable", "its answer holds no search results");

import type { SearchProviderId } from "@/contracts/tools/search-settings";
import type { SearchProvider } from "../search-provider";
import { brave } from "./brave";
import { duckduckgo } from "./duckduckgo";
import { searxng } from "./searxng";
import { serper } from "./serper";
import { tavily } from "./tavily";

/** Every provider, in the default order: first those with a key, then those without. */
export const searchProviders: Readonly<Record<SearchProviderId, SearchProvider>> = { serper, tavily, brave, duckduckgo, searxng };

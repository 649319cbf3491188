import { searchSettingsEndpoints } from "@/contracts/search-settings";
import { trySearch } from "@/server/families/web/search/try-search";
import { route } from "@/server/http/route";

export const POST = route(searchSettingsEndpoints.try, ({ actor, body, signal }) => trySearch(actor, body, signal));

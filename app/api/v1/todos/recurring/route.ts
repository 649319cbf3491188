import { todoEndpoints } from "@/contracts/todos";
import { listRecurring } from "@/server/families/todos/recurring-todos";
import { route } from "@/server/http/route";

export const GET = route(todoEndpoints.listRecurring, ({ actor }) => listRecurring(actor));
